"""What is kept between two starts: it gives the same chances, and where it is of no use it is made anew."""

import logging
import os
from dataclasses import replace

import numpy as np
import pytest
from sqlalchemy import text

from app.memory import cache, store_memory, taking_in
from app.memory.cache import Cache
from db.ledger import entries as ledger
from db.store.engine import Store
from tests.app.memory.conftest import BEAM, HYPOTHESES
from tests.db import actions


@pytest.fixture
def rebuilt(monkeypatch) -> list[int]:
    """Grows with every time memory is built from the whole ledger."""
    built, build = [], taking_in.build

    def counted(*arguments, **options):
        built.append(1)
        return build(*arguments, **options)

    monkeypatch.setattr(taking_in, "build", counted)
    return built


@pytest.fixture
def decided(store, team, make_memory):
    """Some decisions, the first of them about what was served."""
    asking = make_memory("one")
    verdicts = {"编程": "accepted", "电影": "rejected", "显微镜": "added"}
    actions.decide(store, 1, team.li, verdicts=verdicts, suggestion_id=asking.serve(1))
    actions.decide(store, 4, team.li, "电影")
    actions.undo(store, actions.decide(store, 5, team.li, "吉他"), team.li)
    actions.decide(store, 3, team.wang, "吉他", "Music")
    actions.decide(store, 6, team.wang, "跑步", "music")
    asking.memory.rebuild()
    return asking


def file_of(asking):
    return asking.memory._cache.path


def test_what_was_kept_gives_the_same_chances(decided, make_memory, rebuilt):
    again = make_memory("one")
    assert decided.all_chances() == again.all_chances()
    assert rebuilt == []
    assert again.rank(1).ranked_on == 1
    assert again.rank(2).precedents == decided.rank(2).precedents


def test_what_was_decided_since_is_read_from_the_ledger(decided, make_memory, store, team, rebuilt):
    actions.decide(store, 2, team.li, "望远镜")
    again = make_memory("one")
    assert "望远镜" in again.chances(1)
    assert decided.all_chances() == again.all_chances()
    assert rebuilt == []


def test_closing_keeps_what_is_new(decided, make_memory, store, team, rebuilt):
    number = actions.decide(store, 2, team.li, "望远镜").number
    decided.memory.catch_up()
    decided.memory.close()
    assert Cache(file_of(decided).parent, store, "v1").about()["position"]["number"] == number
    assert make_memory("one").all_chances() == decided.all_chances()
    assert rebuilt == []


def test_after_many_lines_it_is_kept_by_itself(decided, store, team, monkeypatch):
    monkeypatch.setattr(store_memory, "SAVE_CHANGES", 2)
    for question, is_kept in ((2, False), (7, True)):
        number = actions.decide(store, question, team.li, "编程").number
        decided.memory.catch_up()
        if is_kept:
            decided.memory._saver.join(30)
        assert (decided.memory._cache.about()["position"]["number"] == number) == is_kept


@pytest.mark.parametrize("damage", ["cut off", "another byte", "no file of ours", "empty"])
def test_a_damaged_file_is_made_anew(decided, make_memory, rebuilt, caplog, damage):
    file = file_of(decided)
    content = bytearray(file.read_bytes())
    if damage == "another byte":
        content[-40] ^= 1
    file.write_bytes(
        {"cut off": content[: len(content) // 2], "no file of ours": b"x" * 100, "empty": b""}.get(damage, content)
    )
    with caplog.at_level(logging.WARNING):
        again = make_memory("one")
        assert again.all_chances() == decided.all_chances()
    assert rebuilt == [1]
    assert str(file) in caplog.text
    again.memory.close()
    assert make_memory("one").all_chances() == decided.all_chances()
    assert rebuilt == [1]


def test_of_another_program_it_is_made_anew(decided, make_memory, rebuilt, monkeypatch):
    monkeypatch.setattr(cache, "program", lambda: "another")
    assert make_memory("one").all_chances() == decided.all_chances()
    assert rebuilt == [1]


def test_another_model_has_a_file_of_its_own(decided, make_memory, ranking_tagger, rebuilt):
    other = make_memory("one", replace(ranking_tagger, version="v2"))
    other.memory.catch_up()
    assert rebuilt == [1]
    other.memory.close()
    assert len(list(file_of(other).parent.iterdir())) == 2


def test_only_the_newest_files_of_a_store_stay(decided, make_memory, ranking_tagger):
    for number in range(2, 6):
        other = make_memory("one", replace(ranking_tagger, version=f"v{number}"))
        other.memory.rebuild()
        os.utime(file_of(other), (number, number))
    kept = sorted(file.name.split("-")[1] for file in file_of(decided).parent.iterdir())
    assert kept == ["v1.safetensors", "v4.safetensors", "v5.safetensors"]


def test_after_a_backup_was_restored_memory_is_made_anew(decided, make_memory, store, team, rebuilt):
    """The ledger goes on from an earlier line: numbers come again, for other decisions."""
    number = actions.decide(store, 2, team.li, "望远镜").number
    assert "望远镜" in decided.chances(1)
    decided.memory.save()
    take_away(store, number)
    assert "望远镜" not in decided.chances(1)
    assert rebuilt == [1]
    again = make_memory("one")
    assert again.all_chances() == decided.all_chances()


def test_other_lines_by_the_same_numbers_are_noticed(decided, make_memory, store, team, rebuilt):
    number = actions.decide(store, 2, team.li, "望远镜").number
    assert "望远镜" in decided.chances(1)
    decided.memory.save()
    take_away(store, number)
    assert actions.decide(store, 2, team.li, "天文").number == number
    again = make_memory("one")
    assert "天文" in again.chances(1)
    assert "望远镜" not in again.chances(1)
    again.memory.close()
    assert decided.all_chances() == again.all_chances()
    assert rebuilt == [1]  # the other found what this one had kept


def take_away(store: Store, number: int) -> None:
    """The newest line, as if a backup from before it had been restored."""
    with store.write() as session:
        if store.is_sqlite:
            for (trigger,) in session.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).all():
                session.execute(text(f"DROP TRIGGER {trigger}"))
        else:
            session.execute(text("SET session_replication_role = replica"))
        for table, column in (("comments", "entry_number"), ("verdicts", "entry_number"), ("entries", "number")):
            session.execute(text(f"DELETE FROM {table} WHERE {column} = :number"), {"number": number})
        if store.is_sqlite:
            session.execute(text("UPDATE sqlite_sequence SET seq = :last WHERE name = 'entries'"), {"last": number - 1})
        else:
            session.execute(text("SET session_replication_role = DEFAULT"))
            session.execute(text("SELECT setval('entries_number_seq', :last)"), {"last": number - 1})


def test_a_redaction_takes_the_words_off_the_disk_at_once(decided, make_memory, store, team):
    before = file_of(decided).read_bytes()
    assert "显微镜".encode() in before
    older = file_of(decided).with_name(f"{cache.store_name(store)}-old.safetensors")
    older.write_bytes(before)
    store.run(lambda session: ledger.redact(session, 1, team.admin, reason="privacy"))
    decided.memory.catch_up()
    assert not older.exists()
    decided.memory.close()
    assert "显微镜".encode() not in file_of(decided).read_bytes()
    assert make_memory("one").all_chances() == decided.all_chances()


def test_what_is_being_written_while_a_question_is_redacted_does_not_stay(decided, store, team, monkeypatch):
    save = Cache.save

    def slowly(self, arrays, about):
        save(self, arrays, about)
        store.run(lambda session: ledger.redact(session, 1, team.admin, reason="privacy"))
        decided.memory.catch_up()
        save(self, arrays, about)  # the end of the writing, which began before

    monkeypatch.setattr(Cache, "save", slowly)
    decided.memory.save()
    assert not file_of(decided).exists()
    monkeypatch.undo()
    decided.memory.close()
    assert "显微镜".encode() not in file_of(decided).read_bytes()


def test_a_folder_that_cannot_be_written_is_only_mentioned(make_memory, store, team, caplog, tmp_path):
    (tmp_path / "taken").write_text("a file where the folder should be")
    actions.decide(store, 1, team.li, "编程")
    asking = make_memory("taken")
    with caplog.at_level(logging.WARNING):
        assert asking.chances(2)["编程"] > 0
        asking.memory.close()
    assert "memory is not kept" in caplog.text


def test_an_empty_ledger_is_not_kept(tmp_path, ranking_tagger):
    with Store(f"sqlite:///{tmp_path / 'empty.db'}") as store:
        from db.store import schema

        schema.prepare(store)
        memory = store_memory.StoreMemory(store, ranking_tagger, Cache(tmp_path / "kept", store, "v1"))
        assert memory.rank(1, "学编程", "", HYPOTHESES, BEAM)[1] == 0
        memory.close()
    assert not (tmp_path / "kept").exists()


def test_files_are_named_by_store_and_kept_beside_it(store, tmp_path):
    with Store(f"sqlite:///{tmp_path / 'x.db'}") as one, Store(f"sqlite:///{tmp_path / 'y.db'}") as other:
        assert cache.store_name(one) != cache.store_name(other)
        assert cache.folder_for(one) == tmp_path / "memory"
    with Store("postgresql://chen:secret@127.0.0.1:1/store") as server, Store("postgresql://127.0.0.1:1/x") as second:
        assert cache.folder_for(server) == cache.DATA / "memory"
        assert cache.store_name(server) != cache.store_name(second)


class Letters:
    """A sentence encoder that sees which letters a text has."""

    def __init__(self, fingerprint: str):
        self.fingerprint = fingerprint

    def encode(self, title: str, description: str = "") -> np.ndarray:
        found = np.zeros(64, np.float32)
        for letter in title + description:
            found[ord(letter) % 64] += 1
        return found / np.linalg.norm(found)


def test_vectors_of_a_sentence_encoder_are_kept_and_those_of_another_are_not_used(
    store, team, titles, ranking_tagger, tmp_path, rebuilt
):
    for question in (1, 4, 6):
        actions.decide(store, question, team.li, "编程")

    def findings(fingerprint: str) -> dict[str, float]:
        kept = Cache(tmp_path / "kept", store, "v1")
        memory = store_memory.StoreMemory(store, ranking_tagger, kept, Letters(fingerprint))
        found, _ = memory.rank(2, titles[2], "", HYPOTHESES, BEAM)
        memory.close()
        return next(tag for tag in found.suggestions if tag.tag == "编程").figures

    first = findings("one")
    assert first["meaning.share"] > 0.5
    assert findings("one") == first
    assert rebuilt == [1]
    assert findings("another") == first
    assert rebuilt == [1, 1]
