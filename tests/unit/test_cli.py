"""The command line, in this process where that will do: results, complaints, exit codes; then real pipes."""

import gzip
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from l2a import checkpoint, run, text
from l2a.checkpoint import CONFIG, WEIGHTS, load_tagger
from l2a.cli import build_parser, main
from l2a.commands import suggest as suggest_command
from l2a.commands.train import spec_from
from l2a.config import preset
from l2a.data import read_questions
from l2a.evaluation import evaluate
from l2a.text import Segmenter

ROOT = Path(__file__).parents[2]
COMMANDS = ("train", "evaluate", "suggest", "explain", "stats", "silver")
KEYS = ["tag", "votes", "share", "probability", "is_new", "cues"]


@pytest.fixture(autouse=True, scope="module")
def _one_segmenter():
    """Every command builds a segmenter, and each reads the dictionary for a second: let them share one."""
    shared = Segmenter()
    with pytest.MonkeyPatch.context() as patch:
        for module in (checkpoint, run, text):
            patch.setattr(module, "Segmenter", lambda words=(): shared)
        yield


@pytest.fixture(scope="module")
def ten(samples_path):
    return list(read_questions(samples_path))[:10]


@pytest.fixture
def write_file(tmp_path):
    def write(*lines, name="questions.jsonl", encoding="utf-8"):
        path = tmp_path / name
        rows = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
        content = "".join(f"{row}\n" for row in rows).encode(encoding)
        path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        return path

    return write


@pytest.fixture
def ten_path(write_file, samples_path):
    return write_file(*samples_path.read_text(encoding="utf-8").splitlines()[:10])


@pytest.fixture
def call(capsys):
    """Run a command; gives back (exit code, standard output, standard error)."""

    def call(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def suggest(call, tiny_model):
    def suggest(*arguments):
        code, out, err = call("suggest", "--model", tiny_model, "--quiet", *arguments)
        assert code == 0, err
        return [json.loads(line) for line in out.splitlines()], err

    return suggest


@pytest.fixture
def refusal(call):
    """The one line a refused command complains with."""

    def refusal(*arguments):
        code, out, err = call(*arguments)
        assert code == 2
        assert out == ""
        assert err.startswith("l2a: ")
        assert err.count("\n") == 1
        return err.removeprefix("l2a: ").strip()

    return refusal


# Help


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


@pytest.mark.parametrize("arguments", [[], ["sing"], ["suggest", "--beam", "many"]])
def test_unknown_words_end_with_exit_code_2(capsys, arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2


# suggest


def test_suggestions_are_one_line_a_question_in_the_order_of_the_input(suggest, ten_path, ten, tiny_tagger):
    lines, err = suggest(ten_path)
    assert err == ""
    assert [line["id"] for line in lines] == [question.id for question in ten]
    for line, answer in zip(lines, tiny_tagger.suggest(ten), strict=True):
        assert list(line) == ["id", "suggestions", *(["notes"] if answer.notes else [])]
        assert [list(suggestion) for suggestion in line["suggestions"]] == [KEYS] * len(answer.kept)
        for written, suggestion in zip(line["suggestions"], answer.kept, strict=True):
            assert written["tag"] == suggestion.tag
            assert written["votes"] == suggestion.votes
            assert written["share"] == round(suggestion.votes / 8, 4)
            assert written["probability"] == pytest.approx(suggestion.probability, abs=1e-5)
            assert written["is_new"] == suggestion.is_new
            assert written["cues"] == list(suggestion.cues)


def test_order_of_the_output_is_that_of_the_input_whatever_the_lengths(suggest, write_file):
    rows = [{"id": str(n), "title": "怎么学编程？" * (1 + n * 7 % 5)} for n in range(23)]
    lines, _ = suggest(write_file(*rows), "--beam", 1, "--batch", 2)
    assert [line["id"] for line in lines] == [str(n) for n in range(23)]


def test_question_without_an_id_gets_its_line_number(suggest, write_file):
    lines, _ = suggest(write_file({"title": "怎么学编程？"}, "", {"title": "怎么跑步？"}))
    assert [line["id"] for line in lines] == ["1", "3"]


def test_standard_input_is_read_when_no_file_is_named(suggest, ten_path, monkeypatch):
    wanted, _ = suggest(ten_path)
    for arguments in ([], ["-"]):
        with open(ten_path, encoding="utf-8") as stream, monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", stream)
            assert suggest(*arguments)[0] == wanted


def test_gzip_and_csv_give_the_same_suggestions(suggest, ten_path, ten, write_file):
    wanted, _ = suggest(ten_path)
    packed = write_file(*ten_path.read_text(encoding="utf-8").splitlines(), name="questions.jsonl.gz")
    assert suggest(packed)[0] == wanted
    cells = ['"' + '","'.join((q.id, q.title, q.description, "|".join(q.tags))) + '"' for q in ten]
    assert suggest(write_file("id,title,description,tags", *cells, name="questions.csv"))[0] == wanted


def test_no_more_than_five_tags_unless_all_are_asked_for(suggest, ten_path):
    kept, _ = suggest(ten_path, "--threshold", 0)
    every, _ = suggest(ten_path, "--threshold", 0, "--all")
    assert max(len(line["suggestions"]) for line in kept) == 5
    for some, everything in zip(kept, every, strict=True):
        assert some["suggestions"] == everything["suggestions"][:5]
    assert max(len(line["suggestions"]) for line in every) > 5


def test_beam_and_threshold_are_obeyed(suggest, ten_path):
    lines, _ = suggest(ten_path, "--beam", 4, "--threshold", 0.5)
    suggestions = [suggestion for line in lines for suggestion in line["suggestions"]]
    assert suggestions
    for suggestion in suggestions:
        assert suggestion["votes"] in (3, 4)
        assert suggestion["share"] == suggestion["votes"] / 4


def test_tags_can_be_banned_demanded_and_confined_to_a_list(suggest, write_file):
    path = write_file({"title": "零基础自学 Python，三个月能达到什么水平？"})
    (plain,), _ = suggest(path, "--all")
    assert "Python" in [s["tag"] for s in plain["suggestions"]]
    (banned,), _ = suggest(path, "--all", "--ban", "Python", "--ban", "编程")
    assert not {"Python", "编程"} & {s["tag"] for s in banned["suggestions"]}
    (begun,), _ = suggest(path, "--all", "--first", "健康")
    assert begun["suggestions"][0]["tag"] == "健康"
    (confined,), _ = suggest(path, "--all", "--known-tags", write_file("健康", "自学", name="known.txt"))
    assert {s["tag"] for s in confined["suggestions"]} <= {"健康", "自学"}


def test_what_was_left_out_of_a_question_is_said_with_it(suggest, write_file):
    lines, _ = suggest(write_file({"id": "long", "title": "学编程" * 100}, {"id": "short", "title": "学编程"}))
    assert lines[0]["notes"] == ["the model read the first 40 of 200 words"]
    assert list(lines[1]) == ["id", "suggestions"]


def test_bad_lines_are_skipped_and_counted_when_asked(suggest, write_file):
    path = write_file(
        {"id": "a", "title": "怎么学编程？"}, "{broken", {"id": "b", "title": " "}, {"id": "c", "title": "跑步"}
    )
    lines, err = suggest(path, "--skip-bad")
    assert [line["id"] for line in lines] == ["a", "c"]
    said = err.splitlines()
    assert said[0] == "2 bad lines left out:"
    assert said[1].startswith(f"  {path}, line 2: not valid JSON")
    assert said[2] == f"  {path}, line 3: the title is empty"


def test_empty_file_gives_no_lines(suggest, write_file):
    assert suggest(write_file()) == ([], "")


# What is refused


def test_broken_line_is_refused_with_its_number(refusal, tiny_model, write_file):
    path = write_file({"title": "怎么学编程？"}, '{"title": "怎么')
    message = refusal("suggest", "--model", tiny_model, "--quiet", path)
    assert message.startswith(f"{path}, line 2: not valid JSON")
    assert message.endswith("Correct the line, or pass --skip-bad to leave such lines out.")


def test_file_that_is_not_utf_8_is_refused(refusal, tiny_model, write_file):
    path = write_file('{"title": "怎么学编程？"}', encoding="gbk")
    assert f"{path}, line 1: not UTF-8 (byte 0xd4 at column 12)" in refusal(
        "suggest", "--model", tiny_model, "--quiet", path
    )


def test_csv_without_the_columns_is_refused(refusal, tiny_model, write_file):
    path = write_file("number,text", "1,怎么学编程？", name="questions.csv")
    message = refusal("suggest", "--model", tiny_model, "--quiet", path)
    assert "line 1: the header has no column id and no column title; it has number, text. Expected: id,title" in message


@pytest.mark.parametrize("command", ["suggest", "evaluate"])
def test_missing_file_is_refused(refusal, tiny_model, tmp_path, command):
    message = refusal(command, "--model", tiny_model, "--quiet", tmp_path / "none.jsonl")
    assert message == f"{tmp_path / 'none.jsonl'}: no such file. Give the path of a .jsonl or .csv file, plain or .gz."


def test_missing_model_is_refused(refusal, ten_path, tmp_path):
    message = refusal("suggest", "--model", tmp_path / "none", ten_path)
    assert message.startswith(f"{tmp_path / 'none'}: no such model folder. Give the path of a folder written by")


def test_cut_off_model_is_refused(refusal, tiny_model, ten_path, tmp_path):
    folder = shutil.copytree(tiny_model, tmp_path / "cut")
    os.truncate(folder / WEIGHTS, 5000)
    message = refusal("suggest", "--model", folder, ten_path)
    assert message.startswith(f"{folder}: model.safetensors is damaged or cut off")
    assert message.endswith("Copy the folder again.")


@pytest.mark.parametrize("content", ['{"model_type": "bert"}', "[1]"])
def test_model_of_another_kind_is_refused(refusal, ten_path, tmp_path, content):
    (tmp_path / "bert").mkdir()
    (tmp_path / "bert" / CONFIG).write_text(content)
    message = refusal("suggest", "--model", tmp_path / "bert", ten_path)
    assert message.startswith(f"{tmp_path / 'bert'}: config.json is not that of an L2A model.")


@pytest.mark.parametrize("command", ["suggest", "evaluate"])
@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("--beam", 0, "beam is 0; it must be a whole number from 1 to 64."),
        ("--beam", 65, "beam is 65; it must be a whole number from 1 to 64."),
        ("--threshold", 1.5, "threshold is 1.5; it must be a number from 0.0 to 1.0."),
        ("--threshold", "nan", "threshold is nan; it must be a number from 0.0 to 1.0."),
        ("--batch", 0, "batch_size is 0; it must be at least 1."),
        ("--threads", 0, "threads is 0; it must be at least 1."),
    ],
)
def test_option_out_of_range_is_refused(refusal, tiny_model, ten_path, command, option, value, complaint):
    assert refusal(command, "--model", tiny_model, "--quiet", option, value, ten_path) == complaint


def test_interruption_is_said_in_one_line(call, monkeypatch, ten_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(suggest_command, "load_model", interrupt)
    assert call("suggest", ten_path) == (130, "", "l2a: interrupted\n")


# evaluate


def test_evaluation_is_json_with_the_voted_score(call, tiny_model, tiny_tagger, ten_path, ten):
    code, out, err = call("evaluate", "--model", tiny_model, "--quiet", ten_path)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["questions"] == 10
    assert found["voted"]["f1"] == pytest.approx(evaluate(tiny_tagger, ten, quiet=True).voted.f1)
    assert found["voted"]["f1"] > 0.3  # the model has learned these very questions
    assert found["model_version"] == tiny_tagger.version
    assert found["bad_lines"] == 0
    assert "best_threshold" not in found  # it looks at the answers: only where asked for, on a dev set
    assert "best_threshold" in json.loads(
        call("evaluate", "--model", tiny_model, "--quiet", "--best-threshold", ten_path)[1]
    )


def test_evaluation_counts_bad_lines_and_reads_the_lexicon(call, tiny_model, write_file, ten):
    rows = [{"id": q.id, "title": q.title, "tags": list(q.tags)} for q in ten]
    path = write_file(*rows, "{", {"title": "没有标签"})
    lexicon = write_file("tag,count", *(f"{n},1" for n in "甲乙"), name="lexicon.csv")
    code, out, err = call("evaluate", "--model", tiny_model, "--quiet", "--skip-bad", "--lexicon", lexicon, path)
    found = json.loads(out)
    assert (code, found["questions"], found["bad_lines"]) == (0, 10, 1)
    assert err.startswith("1 bad lines left out:\n")


def test_evaluation_without_tags_is_refused(refusal, tiny_model, write_file):
    path = write_file({"title": "没有标签"})
    message = refusal("evaluate", "--model", tiny_model, "--quiet", path)
    assert message == f"{path}: no question with tags, so there is nothing to compare with."


# stats


def test_stats_are_a_table(call, ten_path):
    code, out, _ = call("stats", ten_path, "--top", 3)
    lines = out.splitlines()
    assert code == 0
    assert re.fullmatch(r"rows +10", lines[0])
    assert lines[-4].split() == ["rank", "count", "tag"]
    assert [line.split()[0] for line in lines[-3:]] == ["1", "2", "3"]


def test_stats_are_json_when_asked(call, ten_path, ten):
    code, out, _ = call("stats", ten_path, ten_path, "--json")
    found = json.loads(out)
    assert (code, found["rows"], found["reachable"]) == (0, 20, None)
    assert found["tags"] == 2 * sum(len(q.tags) for q in ten)


def test_stats_with_a_model_count_the_tags_it_could_write(call, tiny_model, write_file):
    rows = [
        {"id": "known", "title": "怎么学编程？", "tags": ["编程", "Python"]},
        {"id": "copied", "title": "魑魅魍魉是什么？", "tags": ["魑魅魍魉"]},
        {"id": "never", "title": "这是什么？", "tags": ["饕餮盛宴"]},
    ]
    path = write_file(*rows, "{")
    code, out, err = call("stats", path, "--json", "--model", tiny_model, "--skip-bad")
    assert code == 0
    assert json.loads(out)["reachable"] == {
        "tags": 4, "by_words": 2, "by_copying": 3, "new_tags": 2, "new_by_words": 0, "new_by_copying": 1
    }  # fmt: skip
    assert "1 bad lines left out:" in err  # the file is read twice, its lines are counted once
    assert err.count("line 4") == 1
    seen = write_file({"title": "x", "tags": ["编程", "魑魅魍魉"]}, name="seen.jsonl")
    _, out, _ = call("stats", path, "--model", tiny_model, "--skip-bad", "--seen", seen)
    assert re.search(r"^question-tag pairs +4 +2$", out, flags=re.MULTILINE)


# explain


@pytest.mark.parametrize("summary", ["mean", "rollout"])
def test_explanation_has_rows_that_sum_to_one(call, tiny_model, summary):
    title = "零基础自学 Python，三个月能达到什么水平？"
    code, out, err = call(
        "explain", "--model", tiny_model, "--title", title, "--tags", "Python", "自学", "--summary", summary
    )
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [tag["tag"] for tag in found["tags"]] == ["Python", "自学"]
    assert found["output_words"] == ["Python", "|", "自学", "|", "</s>"]
    words, steps = len(found["source_words"]), len(found["output_words"])
    cross, own = np.array(found["cross_attention"]), np.array(found["self_attention"])
    assert (cross.shape, own.shape) == ((steps, words), (steps, steps))
    totals = [cross.sum(axis=1), own.sum(axis=1)] if summary == "mean" else [cross.sum(axis=1) + own.sum(axis=1)]
    for total in totals:
        np.testing.assert_allclose(total, 1.0, atol=(words + steps) * 5e-5)  # each rounded to four digits
    for tag in found["tags"]:
        assert len(tag["attention"]) == len(tag["occlusion"]) == words
        assert tag["log_probability"] < 0


def test_kept_tags_are_explained_when_none_is_named(call, tiny_model, tiny_tagger, ten):
    _, out, _ = call("explain", "--model", tiny_model, "--title", ten[0].title, "--description", ten[0].description)
    (answer,) = tiny_tagger.suggest(ten[:1])
    assert [tag["tag"] for tag in json.loads(out)["tags"]] == [s.tag for s in answer.kept]


def test_every_layer_and_head_is_saved_when_asked(call, tiny_model, tiny_tagger, tmp_path):
    path = tmp_path / "attention.npz"
    _, out, _ = call("explain", "--model", tiny_model, "--title", "怎么学 Python？", "--tags", "Python", "--npz", path)
    found = json.loads(out)
    config = tiny_tagger.config
    with np.load(path, allow_pickle=False) as archive:
        steps, words = len(found["output_words"]), len(found["source_words"])
        assert archive["cross"].shape == (config.decoder_layers, config.heads, steps, words)
        assert archive["self"].shape == (config.decoder_layers, config.heads, steps, steps)
        assert archive["log_probabilities"].shape == (steps,)
        assert archive["source_words"].tolist() == found["source_words"]
        assert archive["output_words"].tolist() == found["output_words"]
        mean = archive["cross"].mean(axis=(0, 1))
    np.testing.assert_allclose(found["cross_attention"], mean, atol=1e-4)


def test_attention_that_cannot_be_saved_is_refused(refusal, tiny_model, tmp_path):
    path = tmp_path / "none" / "attention.npz"
    message = refusal("explain", "--model", tiny_model, "--title", "学编程", "--tags", "编程", "--npz", path)
    assert str(path) in message
    assert message.endswith("Check the path, and that you may read and write there.")


def test_tag_the_model_cannot_write_is_refused(refusal, tiny_model):
    message = refusal("explain", "--model", tiny_model, "--title", "学编程", "--tags", "饕餮盛宴")
    assert message.startswith("The model cannot write the tag '饕餮盛宴'")


# train


def spec_of(*arguments):
    return spec_from(build_parser().parse_args(["train", "--train", "t.jsonl", "--out", "run", *arguments]))


def test_trained_model_can_be_used(call, ten_path, tmp_path):
    folder = tmp_path / "run"
    code, out, err = call(
        "train", "--preset", "tiny", "--train", ten_path, "--out", folder, "--epochs", 1, "--quiet",
        "--set", "training.batch_size=5", "--set", "model.width=16", "--set", "decode.beam=3", "--storage", "float16",
    )  # fmt: skip
    assert code == 0
    found = json.loads(out)
    assert (found["steps"], found["finished"], found["model"]) == (2, True, str(folder / "best"))
    assert err.startswith("10 training and 0 pre-training questions")
    tagger = load_tagger(folder / "best")
    assert (tagger.config.width, tagger.settings.beam) == (16, 3)
    assert tagger.details["training"]["batch_size"] == 5
    code, _, err = call("train", "--train", ten_path, "--out", folder, "--quiet")
    assert (code, "holds a run already" in err) == (2, True)


def test_time_limit_says_how_to_go_on(call, ten_path, tmp_path):
    folder = tmp_path / "run"
    options = ("--preset", "tiny", "--train", ten_path, "--epochs", 1, "--set", "training.batch_size=5", "--quiet")
    code, out, err = call("train", *options, "--out", folder, "--max-minutes", 0)
    assert (code, json.loads(out)["finished"]) == (0, False)
    assert err.endswith(f"The time was up. Go on with: python -m l2a train --resume {folder}\n")
    code, out, _ = call("train", "--resume", folder, "--quiet")
    assert (code, json.loads(out)["finished"], json.loads(out)["steps"]) == (0, True, 2)


def test_options_of_training_change_the_preset():
    spec = spec_of(
        "--preset", "small", "--order", "random", "--kind", "word", "--architecture", "a2l", "--positions", "global",
        "--copy", "--share-embeddings", "--epochs", "3", "--seed", "9", "--tune-threshold", "--skip-bad",
    )  # fmt: skip
    base = preset("small")
    changes = {"encoder": "A", "decoder": "L", "positions": "global", "copy": True, "share_embeddings": True}
    assert spec.model.to_dict() == {**base.model.to_dict(), **changes}
    assert spec.training.to_dict() == {**base.training.to_dict(), "order": "random", "epochs": 3, "seed": 9}
    assert spec.decode == base.decode
    assert (spec.tune_threshold, spec.skip_bad, spec.storage) == (True, True, "float32")


def test_any_setting_can_be_given():
    settings = ["model.width=30", "model.heads=3", "training.schedule=linear", "training.learning_rate=1e-3"]
    settings += ["training.max_tags=null", "decode.max_tags=null", "decode.drop_repeats=false"]
    spec = spec_of(*(word for setting in settings for word in ("--set", setting)))
    assert (spec.model.width, spec.model.heads) == (30, 3)  # neither fits the other of the preset
    assert (spec.training.schedule, spec.training.learning_rate) == ("linear", 0.001)
    assert (spec.training.max_tags, spec.decode.max_tags, spec.decode.drop_repeats) == (None, None, False)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--set", "model.depth=3"], "ModelConfig has no key 'depth'. Valid keys: kind, encoder, decoder, positions, "),
        (["--set", "training.lr=1"], "TrainingConfig has no key 'lr'. Valid keys: order, reshuffle, epochs, "),
        (["--set", "search.beam=1"], "--set search.beam=1: no group 'search'; valid: model, training, decode."),
        (["--set", "width=3"], "--set width=3: expected GROUP.KEY=VALUE, for example model.width=200."),
        (["--set", "model.copy=no"], "copy is 'no'; valid: true, false."),
        (["--set", "training.batch_size=2.5"], "batch_size is 2.5; it must be a whole number from 1 to "),
        (["--epochs", "0"], "epochs is 0; it must be a whole number from 1 to "),
        (["--order", "file"], "order is 'file'; valid: order1, order2, random."),
        (["--preset", "huge"], "no preset 'huge'; valid: paper, small, tiny."),
        (["--architecture", "L3A"], "architecture is 'L3A'; valid: L2A, L2L, A2A, A2L."),
        (["--words", "none.txt"], "none.txt: the word list cannot be read"),
        (["--vectors", "none.npz"], "none.npz: not a word vector file"),
    ],
)
def test_impossible_training_is_refused_before_it_begins(refusal, ten_path, tmp_path, arguments, complaint):
    message = refusal("train", "--train", ten_path, "--out", tmp_path / "run", "--quiet", *arguments)
    assert message.startswith(complaint)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("arguments", [[], ["--train", "t.jsonl"], ["--out", "run"]])
def test_training_needs_a_file_and_a_folder(refusal, arguments):
    assert refusal("train", *arguments) == "train needs --train FILE and --out FOLDER, or --resume FOLDER."


def test_resuming_nothing_is_refused(refusal, tmp_path):
    assert refusal("train", "--resume", tmp_path).startswith(f"{tmp_path}: no training run to resume")


def test_folder_that_cannot_be_written_is_refused(call, ten_path, tmp_path):
    (tmp_path / "file").write_text("x")
    code, out, err = call("train", "--preset", "tiny", "--train", ten_path, "--out", tmp_path / "file", "--quiet")
    assert (code, out) == (2, "")
    assert str(tmp_path / "file") in err
    assert "Traceback" not in err


# Real pipes


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
