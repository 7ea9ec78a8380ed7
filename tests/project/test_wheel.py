"""The package installs: built, put into an empty environment, and both commands run from another folder."""

import json
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
import tomllib
import urllib.request
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.project.source import PACKAGES, ROOT

NOT_IN_IT = shutil.ignore_patterns("__pycache__", "secrets.toml")
FOLDERS = (*PACKAGES, "pages", "samples", "models", ".streamlit")
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "requirements.txt", "streamlit_app.py")
TEXTS = ("README.md", "CHANGELOG.md", "LICENSE")
PATIENCE = 120  # seconds for one command on a busy machine


@dataclass(frozen=True)
class Environment:
    """A virtual environment with the wheel, and a home and a folder to stand in that are empty."""

    folder: Path
    home: Path
    elsewhere: Path

    @property
    def packages(self) -> Path:
        (found,) = self.folder.glob("lib/python*/site-packages")
        return found

    @property
    def data(self) -> Path:
        return self.home / ".local" / "share" / "l2a-studio"

    def command(self, name: str) -> str:
        return str(self.folder / "bin" / name)

    def variables(self) -> dict[str, str]:
        """Those of this process without what would lead back into the project."""
        ours = ("L2A_", "STREAMLIT_", "PYTHON", "XDG_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        return {**kept, "HOME": str(self.home)}

    def run(self, name: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.command(name), *arguments],
            cwd=self.elsewhere,
            env=self.variables(),
            input=given,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
        )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """What `python -m build` makes of the project: the source archive, and from that the wheel. Nothing is fetched."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, source / name, ignore=NOT_IN_IT)
    for name in (*FILES, *TEXTS):
        shutil.copy(ROOT / name, source)
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(made), str(source)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (found,) = made.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Environment:
    """The wheel alone in an environment that otherwise sees the packages of this one."""
    top = tmp_path_factory.mktemp("installed")
    environment = Environment(top / "venv", top / "home", top / "elsewhere")
    environment.home.mkdir()
    environment.elsewhere.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment.folder], check=True, timeout=PATIENCE)
    seen = dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))
    (environment.packages / "tests.pth").write_text("\n".join(seen))
    pip = [sys.executable, "-m", "pip", "--python", environment.command("python"), "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return environment


def listing(folder: Path) -> set[str]:
    """Every file but what Python compiles for itself."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in files if "__pycache__" not in path.parts}


def test_all_that_the_program_reads_is_installed(installed):
    there = listing(installed.packages)
    inside = {f"{package}/{name}" for package in PACKAGES for name in listing(ROOT / package)}
    assert inside - there == set()
    beside = {f"app/bundle/{folder}/{name}" for folder in ("pages", "samples") for name in listing(ROOT / folder)}
    beside |= {f"l2a/models/{name}" for name in listing(ROOT / "models")}
    beside |= {"app/bundle/streamlit_app.py", "app/bundle/.streamlit/config.toml"}
    assert beside - there == set()
    tops = {name.split("/")[0] for name in there}
    assert {top for top in tops if not top.endswith((".dist-info", ".pth"))} == set(PACKAGES)
    assert not [name for name in there if "secrets" in name]


def test_the_wheel_asks_for_the_pinned_packages_and_says_whose_the_weights_are(installed):
    (about,) = installed.packages.glob("l2a_studio-*.dist-info")
    metadata = (about / "METADATA").read_text(encoding="utf-8")
    assert "Requires-Dist: torch==2.13.0" in metadata
    assert "License-Expression: MIT AND LicenseRef-starter-weights" in metadata
    assert (about / "licenses" / "models" / "LICENSE.md").is_file()


def test_the_engine_suggests_with_its_starter_from_anywhere(installed):
    help_text = installed.run("l2a", "--help")
    assert help_text.returncode == 0, help_text.stderr
    assert help_text.stdout.startswith("usage: l2a [-h] COMMAND")
    question = json.dumps({"title": "零基础自学 Python，三个月能达到什么水平？"}, ensure_ascii=False)
    done = installed.run("l2a", "suggest", "--beam", "16", "--quiet", given=question + "\n")
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert "Python" in line


def test_the_store_is_in_the_persons_own_folder(installed):
    before = listing(installed.packages)
    help_text = installed.run("l2a-studio", "stats", "--help")
    assert "usage: l2a-studio stats" in help_text.stdout
    assert str(installed.data / "l2a.db") in "".join(help_text.stdout.split())
    (installed.elsewhere / "questions.jsonl").write_text('{"title": "怎么学编程？"}\n', encoding="utf-8")
    for arguments in (("import", "questions.jsonl", "--as", "chen"), ("stats",), ("check",), ("people", "list")):
        done = installed.run("l2a-studio", *arguments)
        assert done.returncode == 0, done.stderr
    assert (installed.data / "l2a.db").is_file()
    assert listing(installed.elsewhere) == {"questions.jsonl"}
    assert listing(installed.packages) == before


@contextmanager
def running(installed: Environment, port: int):
    log = installed.home / "server.log"
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [installed.command("l2a-studio"), "run", "--port", str(port), "--", "--server.headless", "true"],
            cwd=installed.elsewhere,
            env=installed.variables(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        yield process, log
    finally:
        process.terminate()
        process.wait(timeout=30)


def answer(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as response:
        return response.read().decode()


def test_the_app_starts_and_writes_nothing_beside_its_code(installed):
    before = listing(installed.packages)
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with running(installed, port) as (process, log):
        for _ in range(PATIENCE * 4):
            assert process.poll() is None, log.read_text()
            try:
                if answer(f"http://localhost:{port}/_stcore/health") == "ok":
                    break
            except OSError:
                time.sleep(0.25)
        well = json.loads(answer(f"http://localhost:{port}/health"))
        version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
        assert (well["model"], well["settings"], well["version"]) == ("ok", "ok", version)
    assert listing(installed.packages) == before


FIRST_PAGES = """
from streamlit import config
from streamlit.testing.v1 import AppTest
from app.places import APP
config.set_option("server.address", "localhost")  # as the installed config.toml has it, which this way is not read
page = AppTest.from_file(str(APP / "main.py"), default_timeout=100).run()
assert not page.exception, page.exception
assert not page.error, page.error[0].value
page.switch_page("bundle/pages/dashboard.py").run()
assert not page.exception, page.exception
"""


def test_the_pages_open(installed):
    before = listing(installed.packages)
    done = installed.run("python", "-c", FIRST_PAGES)
    assert done.returncode == 0, done.stderr
    models = installed.run("l2a-studio", "models", "list")
    assert "\tlive\tmodels/starter\t" in models.stdout  # not where this environment happens to be
    assert listing(installed.packages) == before
