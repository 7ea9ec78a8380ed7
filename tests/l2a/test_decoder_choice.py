"""How a search is carried out can be chosen, on the command line and for the app; 8 bits are what people get."""

import json
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest

from app.commands import suggest as app_suggest
from app.entry import resources
from app.learning import comparison, gate
from app.learning.worker import Work
from app.shell.settings import Settings
from l2a import tagger as tagger_module
from l2a.bulk.scale_out import Job, Worker
from l2a.cli import main
from l2a.config import DECODER_CHOICES
from l2a.errors import SettingsError
from l2a.tagger import NO_CONSTRAINTS, Tagger, choose_decoder
from tests.conftest import SAMPLES


@pytest.fixture
def with_8_bits(monkeypatch):
    monkeypatch.setattr(tagger_module, "is_available", lambda: True)


@pytest.fixture
def without_8_bits(monkeypatch):
    monkeypatch.setattr(tagger_module, "is_available", lambda: False)


@pytest.fixture
def searched(monkeypatch) -> list[str]:
    """The decoders of all searches."""
    found, search = [], Tagger._search

    def noted(self, *args, **how):
        found.append(self.decoder)
        return search(self, *args, **how)

    monkeypatch.setattr(Tagger, "_search", noted)
    return found


def test_auto_is_8_bits_where_the_processor_has_them(with_8_bits):
    assert list(map(choose_decoder, DECODER_CHOICES)) == ["int8", "plain", "float32", "int8"]


def test_auto_is_float32_elsewhere_and_8_bits_are_refused(without_8_bits):
    assert [choose_decoder(wish) for wish in ("auto", "plain", "float32")] == ["float32", "plain", "float32"]
    with pytest.raises(SettingsError, match="cannot multiply in 8 bits"):
        choose_decoder("int8")


def test_an_unknown_one_is_refused_before_anything_is_read(tmp_path):
    with pytest.raises(SettingsError, match="'quick'; valid: auto, plain, float32, int8"):
        Tagger.load(tmp_path / "none", decoder="quick")


def test_a_tagger_in_code_is_in_float32_unless_asked(tiny_model):
    assert Tagger.load(tiny_model).decoder == "float32"
    assert Tagger.load(tiny_model, decoder="plain").decoder == "plain"


@pytest.mark.parametrize(
    ("options", "decoder"),
    [
        ([], "int8"),
        (["--decoder", "float32"], "float32"),
        (["--decoder", "plain"], "plain"),
        (["--decoder", "int8"], "int8"),
    ],
)
def test_a_command_searches_as_it_is_told(tiny_model, tmp_path, with_8_bits, searched, options, decoder):
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(SAMPLES.read_text(encoding="utf-8").splitlines()[:3]), encoding="utf-8")
    for command, *asked in (["suggest", path], ["evaluate", path], ["explain", "--title", "学编程从哪里开始？"]):
        assert main([command, "--model", str(tiny_model), *options, *map(str, asked)]) == 0
        assert set(searched) == {decoder}, command
        searched.clear()


def test_every_process_searches_as_it_is_told(tiny_model, searched):
    row = {"window": json.dumps([{"id": "1", "title": "怎么学编程？", "description": ""}])}
    for decoder in ("plain", "float32"):
        Worker(Job(str(tiny_model), 4, None, 8, NO_CONSTRAINTS, False, decoder))(row)
    assert searched == ["plain", "float32"]


def test_the_app_has_a_setting():
    assert Settings.from_environment({}).decoder == "auto"
    assert Settings.from_environment({"L2A_DECODER": " Float32 "}).decoder == "float32"
    with pytest.raises(SettingsError, match="L2A_DECODER is 'fast', but must be one of auto, plain, float32, int8"):
        Settings.from_environment({"L2A_DECODER": "fast"})


def test_all_of_the_app_searches_as_the_setting_says(tiny_model, monkeypatch, tmp_path):
    settings = replace(Settings(), decoder="plain", model=tiny_model)
    given = {}
    monkeypatch.setattr(resources, "load_store", lambda settings: None)
    monkeypatch.setattr(resources, "Suggester", lambda store, load, first, *_, **__: given.update(load=load))
    resources.load_suggester.__wrapped__(settings)
    assert given["load"](tiny_model).decoder == "plain"
    assert app_suggest.load_tagger("plain")(tiny_model).decoder == "plain"

    work = Work.__new__(Work)  # its gate alone: no run, no store
    work.folder = tmp_path
    work.settings, work.store, work.options = settings, SimpleNamespace(read=nullcontext), SimpleNamespace(seed=1)
    answered = []
    monkeypatch.setattr(Work, "beat", lambda self, **_: None)
    monkeypatch.setattr(comparison, "choose", lambda *_, **__: comparison.Trial(0, ()))
    monkeypatch.setattr(comparison, "remember", lambda *_, **__: None)
    monkeypatch.setattr(comparison, "answer", lambda store, tagger, *_: answered.append(tagger.decoder))
    monkeypatch.setattr(gate, "compare", lambda cases, *answers, **_: answers)
    work._compare(tiny_model, tiny_model, 0)
    assert answered == ["plain", "plain"]
