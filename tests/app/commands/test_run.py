"""`run` hands everything to Streamlit: the launcher, the port, and what stands after `--`."""

import pytest
from streamlit.web import cli

from app.cli import main
from app.shell.settings import ROOT


@pytest.fixture
def handed_over(monkeypatch) -> list[list[str]]:
    calls = []
    monkeypatch.setattr(cli, "main", lambda arguments, prog_name: calls.append(arguments))
    return calls


def test_the_launcher_is_started(handed_over):
    assert main(["run"]) == 0
    assert handed_over == [["run", str(ROOT / "streamlit_app.py")]]


def test_the_port_and_streamlits_own_options_go_along(handed_over):
    assert main(["run", "--port", "8600", "--", "--server.headless", "true"]) == 0
    assert handed_over[0][2:] == ["--server.port", "8600", "--server.headless", "true"]


@pytest.mark.parametrize("port", ["0", "65536", "http"])
def test_a_port_that_cannot_be_is_refused(handed_over, capsys, port):
    with pytest.raises(SystemExit) as end:
        main(["run", "--port", port])
    assert end.value.code == 2
    assert handed_over == []
