"""Help for every command, and real pipes."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from l2a.cli import build_parser, main
from l2a.command_line import program_name
from tests.l2a.commands.conftest import COMMANDS, ROOT

HEAVY = {"torch", "numpy", "scipy", "jieba", "pandas", "pyarrow", "safetensors", "tqdm"}


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_that_can_be_typed(capsys, command):
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    (example,) = re.findall(r"^example: python -m l2a (.+)$", capsys.readouterr().out, flags=re.MULTILINE)
    arguments = shlex.split(example.partition(" > ")[0])
    assert arguments[0] == command
    assert build_parser().parse_args(arguments).command


def test_help_lists_the_commands(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    for command in COMMANDS:
        assert re.search(rf"^ +{command} ", out, flags=re.MULTILINE)


def loaded_by(code: str) -> list[str]:
    """Which heavy packages a fresh process has imported after running this."""
    report = f"import sys; print(*sorted({HEAVY!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()


def test_help_and_the_package_itself_load_nothing_heavy():
    show_help = "from l2a.cli import main\ntry:\n    main({})\nexcept SystemExit:\n    pass"
    assert "jieba" in loaded_by("import jieba")  # so they are noticed
    assert loaded_by("import l2a") == []
    assert loaded_by(show_help.format(["--help"])) == []
    assert loaded_by(show_help.format(["train", "--help"])) == []


@pytest.mark.parametrize("arguments", [[], ["sing"], ["suggest", "--beam", "many"]])
def test_unknown_words_end_with_exit_code_2(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2


def start(*arguments, code=None, **environment):
    command = [sys.executable, *(("-c", code) if code else ("-m", "l2a")), *map(str, arguments)]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUNBUFFERED": "", **environment},  # buffers as a user has them
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_suggestions_come_before_the_input_ends_and_a_closed_pipe_is_no_error(tiny_model):
    """A window is eight batches: nine questions with batches of one fill it, and the ninth waits."""
    process = start("suggest", "--model", tiny_model, "--quiet", "--batch", 1, "--beam", 1)
    row = json.dumps({"title": "怎么学编程？"}).encode() + b"\n"
    process.stdin.write(row * 9)
    process.stdin.flush()
    lines = [json.loads(process.stdout.readline()) for _ in range(8)]
    assert [line["id"] for line in lines] == [str(n) for n in range(1, 9)]
    assert process.poll() is None  # still waiting for more
    process.stdout.close()  # as `head` does
    process.stdin.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 0
    process.stderr.close()


def test_closed_pipe_at_the_end_is_no_error(ten_path):
    """What is printed at once stays in a buffer until the end: the complaint would come from the interpreter."""
    process = start("stats", ten_path, "--json")
    process.stdout.close()
    process.stdin.close()
    err = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait(60) == 0
    assert "Error" not in err
    assert "Exception" not in err


def test_output_is_utf_8_whatever_the_language_of_the_terminal(ten_path):
    process = start("stats", ten_path, PYTHONIOENCODING="ascii", LC_ALL="C")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "心理学" in out.decode("utf-8")


MEASURE = """
import resource, sys
from l2a.cli import main
model, *files = sys.argv[1:]
for file in files:
    assert main(["suggest", "--model", model, "--quiet", "--beam", "2", "--threads", "1", file]) == 0
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def test_memory_does_not_grow_with_the_number_of_questions(tiny_model, write_file):
    words = ["编程", "跑步", "心理学", "物理", "大学", "电影", "健康", "怎么", "为什么", "学习", "工作", "生活"]

    def invented(count):
        for n in range(count):
            yield {"id": str(n), "title": "".join(words[(n * k + k * k) % 12] for k in range(3, 9 + n % 20)) + str(n)}

    paths = [write_file(*invented(count), name=f"{count}.jsonl") for count in (50, 500)]
    process = start(tiny_model, *paths, code=MEASURE)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    assert out.count(b"\n") == 550
    few, many = (int(line) * (1 if sys.platform == "darwin" else 1024) for line in err.split())
    assert many - few < 100e6


@pytest.mark.parametrize(
    ("started", "name", "shown"),
    [
        ("/usr/bin/l2a", "l2a", "l2a"),
        ("C:/Scripts/l2a-studio.exe", "app", "l2a-studio"),
        ("l2a/__main__.py", "l2a", "python -m l2a"),
        ("/usr/bin/l2a", "app", "python -m app"),
    ],
)
def test_help_calls_the_program_as_it_was_called(monkeypatch, started, name, shown):
    monkeypatch.setattr("sys.argv", [started])
    assert program_name(name) == shown
