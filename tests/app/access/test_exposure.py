"""Without sign-in the server is for this machine alone."""

import asyncio

import pytest
import streamlit as st

from app.access import exposure
from app.entry import warm_up
from app.shell.settings import ROOT, Settings
from l2a.errors import SettingsError


@pytest.mark.parametrize("address", ["localhost", "127.0.0.1", "127.0.0.2", "::1", "[::1]", "unix:/run/l2a.sock"])
def test_this_machine_alone_is_let_be(address):
    exposure.check(Settings(), address)


@pytest.mark.parametrize("address", [None, "", "0.0.0.0", "::", "192.0.2.7", "labels.example.org"])
def test_more_than_this_machine_asks_for_sign_in_or_for_knowing(address):
    with pytest.raises(SettingsError, match=r"nobody has to sign in: .* L2A_MODE=team, or .*; or L2A_UNPROTECTED=yes"):
        exposure.check(Settings(), address)
    exposure.check(Settings(mode="team"), address)
    exposure.check(Settings(unprotected=True), address)


@pytest.fixture
def on_all_networks(monkeypatch):
    options = st.get_option
    monkeypatch.setattr(st, "get_option", lambda name: "0.0.0.0" if name == "server.address" else options(name))


def start() -> None:
    async def serve():
        async with warm_up.lifespan(None):
            pass

    asyncio.run(serve())


def test_such_a_server_does_not_start(on_all_networks, monkeypatch, caplog):
    monkeypatch.setattr(warm_up, "get_ready", lambda: None)
    with pytest.raises(SystemExit):
        start()
    assert "The server listens on 0.0.0.0, but nobody has to sign in" in caplog.text
    monkeypatch.setenv("L2A_UNPROTECTED", "yes")
    start()
    monkeypatch.setenv("L2A_UNPROTECTED", "no")
    monkeypatch.setenv("L2A_MODE", "team")
    start()


def test_started_some_other_way_it_shows_nothing(on_all_networks, tagger, open_app):
    page = open_app("en")
    assert "nobody has to sign in" in page.error[0].value
    assert len(page.main) == 1 or not page.button


def test_the_container_asks_too():
    """Its entry point opens all networks, and no line of it says that somebody knows."""
    lines = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    assert '"--server.address", "0.0.0.0"' in lines
    assert "ENV L2A_UNPROTECTED" not in lines
    with pytest.raises(SettingsError):
        exposure.check(Settings(), "0.0.0.0")
