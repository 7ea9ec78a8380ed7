"""Hypotheses are found once, whatever stops a run or comes after it."""

from dataclasses import replace

import pytest

from l2a.simulation import decodings
from l2a.simulation.decodings import FILE, Decodings
from l2a.tagger import Tagger


@pytest.fixture
def decoded(monkeypatch):
    """The titles that were decoded."""
    titles, decode = [], decodings.decode

    def watched(tagger, question, beam):
        titles.append(question.title)
        return decode(tagger, question, beam)

    monkeypatch.setattr(decodings, "decode", watched)
    return titles


def titles_of(questions):
    return [question.title for question in questions]


def test_what_is_kept_is_what_the_model_finds(learner, learn, tmp_path, decoded):
    kept = Decodings(learner, 4, tmp_path / FILE)
    assert kept.find(learn[:3], quiet=True) == 3
    again = Decodings(learner, 4, tmp_path / FILE)
    assert again.find(learn[:3], quiet=True) == 0
    assert decoded == titles_of(learn[:3])
    for own, read, question in zip(kept.ask(learn[:3]), again.ask(learn[:3]), learn, strict=False):
        assert read.hypotheses == own.hypotheses == learner.suggest([question], beam=4)[0].hypotheses
        assert read.question == question
        assert read.ranked(learner).kept == learner.suggest([question], beam=4)[0].kept


def test_a_line_that_was_cut_off_is_decoded_again(learner, learn, tmp_path, decoded):
    Decodings(learner, 4, tmp_path / FILE).find(learn[:3], quiet=True)
    path = tmp_path / FILE
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    decoded.clear()
    assert Decodings(learner, 4, path).find(learn[:3], quiet=True) == 1
    assert decoded == [learn[2].title]
    assert path.read_bytes() == whole


def test_a_damaged_line_is_decoded_again(learner, learn, tmp_path, decoded):
    path = tmp_path / FILE
    Decodings(learner, 4, path).find(learn[:2], quiet=True)
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first[:20] + b"\n" + second)
    decoded.clear()
    Decodings(learner, 4, path).find(learn[:2], quiet=True)
    assert decoded == [learn[0].title]


def test_another_model_beam_or_decoder_finds_its_own(learner, learn, tmp_path, decoded):
    path, one = tmp_path / FILE, learn[:1]
    others = [(replace(learner, version="other"), 4), (learner, 3), (replace(learner, decoder="plain"), 4)]
    for tagger, beam in [(learner, 4), *others]:
        assert Decodings(tagger, beam, path).find(one, quiet=True) == 1
    assert [len(Decodings(*pair, path).ask(one)[0].hypotheses) for pair in others] == [4, 3, 4]
    assert len(decoded) == 4  # all of them are in the file
    assert Decodings(learner, 4, path).find(one, quiet=True) == 0


def test_a_question_that_is_there_twice_is_decoded_once(learner, learn, tmp_path, decoded):
    twice = [learn[0], replace(learn[0], id="other", tags=("别的",)), replace(learn[0], description="另一段")]
    kept = Decodings(learner, 4, tmp_path / FILE)
    assert kept.find(twice, quiet=True) == 2
    assert [asked.question.tags for asked in kept.ask(twice)][:2] == [learn[0].tags, ("别的",)]
    assert len(decoded) == 2


def test_several_processes_find_the_same(learn, tiny_model, tmp_path, monkeypatch):
    monkeypatch.setattr(decodings, "MANY", 2)
    tagger = Tagger.load(tiny_model)
    alone, together = Decodings(tagger, 4, tmp_path / "alone"), Decodings(tagger, 4, tmp_path / "together")
    alone.find(learn[:4], quiet=True)
    together.find(learn[:4], model=str(tiny_model), processes=2, quiet=True)
    assert (tmp_path / "together").read_bytes() == (tmp_path / "alone").read_bytes()
