"""What people decide moves memory, each decision once, and what is taken back leaves no trace."""

import threading
from dataclasses import replace
from types import SimpleNamespace

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings
from sqlalchemy import text

from app.emerging.search import EmergingSearch
from app.memory import position, store_memory, taking_in
from app.memory.store_memory import NotReady, StoreMemory
from db.ledger import decided_since
from db.ledger import entries as ledger
from db.ledger.decided_since import Serving
from db.tags import planning
from db.tags.importing import IncomingTag, import_tags
from tests.app.emerging import finding
from tests.db import actions

NEW = "显微镜"


def close_to(one: dict, other: dict, tolerance: float = 1e-6) -> bool:
    """Whether all chances are the same."""
    return one.keys() == other.keys() and all(
        tags.keys() == other[question].keys()
        and all(abs(chance - other[question][tag]) <= tolerance for tag, chance in tags.items())
        for question, tags in one.items()
    )


def test_a_decision_is_known_at_the_next_question(asking, store, team):
    before = asking.chances(2)
    receipt = actions.decide(store, 1, team.li, "编程", NEW)
    after = asking.chances(2)
    assert NEW not in before
    assert after[NEW] > 0.2
    assert after["编程"] > before["编程"]
    assert asking.memory.catch_up() == receipt.number


def test_an_undo_restores_the_chances_from_before_it(asking, store, team):
    suggestion = asking.serve(1)
    actions.decide(store, 3, team.li, "吉他")
    before = asking.all_chances()
    receipt = actions.decide(
        store, 1, team.li, verdicts={"编程": "accepted", "电影": "rejected", NEW: "added"}, suggestion_id=suggestion
    )
    decided = asking.all_chances()
    actions.undo(store, receipt, team.li)
    assert not close_to(decided, before)
    assert close_to(asking.all_chances(), before, 0.0)


def test_a_second_decision_takes_the_place_of_the_first(asking, store, team):
    actions.decide(store, 1, team.li, NEW)
    assert NEW in asking.chances(2)
    actions.decide(store, 1, team.li, "编程")
    assert NEW not in asking.chances(2)


def test_a_review_settles_what_memory_knows(asking, store, team):
    actions.decide(store, 1, team.li, "编程")
    actions.review(store, 1, team.researcher, NEW)
    assert NEW in asking.chances(2)


def test_a_merge_and_its_undo_are_noticed(asking, store, team):
    actions.decide(store, 1, team.li, NEW)
    actions.decide(store, 3, team.li, "吉他")
    before = asking.all_chances()
    number = actions.change_tags(store, team.researcher, planning.plan_merge, NEW, "吉他")
    assert NEW not in asking.chances(2)
    assert asking.chances(2)["吉他"] > before[2]["吉他"]
    actions.change_tags(store, team.researcher, planning.plan_undo, number)
    assert close_to(asking.all_chances(), before)


def test_a_new_name_is_called_by_it(asking, store, team):
    actions.decide(store, 1, team.li, NEW)
    asking.all_chances()
    actions.change_tags(store, team.researcher, planning.plan_rename, NEW, "望远镜")
    assert {"望远镜"} <= asking.chances(2).keys()
    assert NEW not in asking.chances(2)
    assert asking.chances(0, "显微镜和它")["望远镜"] > 0  # the old name is an alias now


def test_a_tag_of_the_list_is_looked_for_until_it_is_deprecated(asking, store, team):
    assert NEW not in asking.chances(0, "显微镜和它")
    import_tags(store, [IncomingTag(1, NEW)], team.admin, name="list")
    assert NEW in asking.chances(0, "显微镜和它")
    actions.change_tags(store, team.researcher, planning.plan_status, NEW, "deprecated")
    assert NEW not in asking.chances(0, "显微镜和它")


def test_a_tag_made_of_a_name_that_came_up_is_a_candidate_for_its_questions_at_once(asking, store, team, monkeypatch):
    monkeypatch.setattr(finding.WHERE, finding.find_listed)
    search = EmergingSearch(store, lambda: SimpleNamespace(version="v1", names={"膝盖": 0.9}))
    (name,) = search.look(30, least=2).names
    assert [asking.titles[number] for number in name.questions] == ["每天跑步对膝盖好吗？", "跑步伤膝盖吗？"]
    assert not [number for number in name.questions if "膝盖" in asking.chances(number)]
    made = actions.change_tags(store, team.researcher, planning.plan_create, name.name)
    for number in name.questions:
        (tag,) = (tag for tag in asking.rank(number).suggestions if tag.tag == "膝盖")
        assert tag.figures["mentions.title"] == 1.0
    actions.change_tags(store, team.researcher, planning.plan_undo, made)
    assert not [number for number in name.questions if "膝盖" in asking.chances(number)]


def test_a_redacted_question_is_forgotten(asking, store, team):
    before = asking.all_chances()
    actions.decide(store, 1, team.li, "编程", NEW)
    assert NEW in asking.chances(2)
    store.run(lambda session: ledger.redact(session, 1, team.admin, reason="privacy"))
    after = asking.chances(2)
    assert NEW not in after
    assert after["编程"] == before[2]["编程"]


def test_a_rejected_tag_sinks_for_a_nearly_identical_question(asking, store, team):
    suggestion = asking.serve(1)
    title = asking.titles[1].replace("从", "")
    before = asking.chances(0, title)
    verdicts = {"编程": "accepted", "电影": "rejected"}
    actions.decide(store, 1, team.li, verdicts=verdicts, suggestion_id=suggestion)
    assert asking.chances(0, title)["电影"] < before["电影"] / 2
    assert asking.chances(0, title)["编程"] > before["编程"]


def test_a_question_is_not_its_own_precedent(asking, store, team):
    before = asking.rank(1)
    actions.decide(store, 1, team.li, NEW)
    again = asking.rank(1)
    assert [(tag.tag, tag.chance) for tag in again.suggestions] == [(tag.tag, tag.chance) for tag in before.suggestions]
    assert again.precedents == ()
    assert [precedent.question_id for precedent in asking.rank(2).precedents] == [1]
    assert NEW in asking.chances(0, asking.titles[1])  # asked by another number it is one


def test_what_was_served_and_judged_teaches_the_ranker(asking, store, team):
    suggestion = asking.serve(1)
    assert asking.rank(2).ranked_on == 0
    verdicts = dict.fromkeys(["编程"], "accepted") | dict.fromkeys(["电影", "跑步", "养猫", "音乐"], "rejected")
    actions.decide(store, 1, team.li, verdicts=verdicts, suggestion_id=suggestion)
    assert asking.rank(2).ranked_on == 1


FIGURES = {"a": {"votes.share": 0.9}, "b": {"votes.share": 0.5}, "c": {"votes.share": 0.1}}


@pytest.mark.parametrize(
    ("tags", "rejected", "kept", "verdicts"),
    [
        (["a"], ["b"], ["a", "b", "c"], [1, 0, None]),  # something was rejected
        (["a", "b"], [], ["A", "b"], [1, 1, None]),  # all that was kept was judged
        (["a"], [], ["a", "b"], None),  # b was passed over: nobody said that it is wrong
        (["d"], [], [], [None, None, None]),  # nothing was kept, and something else is right
        ([], ["a"], ["a"], [0, None, None]),
    ],
)
def test_only_a_serving_that_says_what_is_too_much_teaches(tags, rejected, kept, verdicts):
    serving = Serving(1, tuple(tags), tuple(rejected), (), FIGURES, tuple(kept))
    served = taking_in.teaches(serving)
    assert (None if served is None else served.verdicts) == verdicts
    assert served is None or served.right == len(tags)
    assert taking_in.teaches(replace(serving, figures={})) is None


def test_older_servings_are_read_again_where_newer_ones_were_taken_back(make_memory, store, team, monkeypatch):
    for module, name, value in [
        ("l2a.ranking.knowledge", "WINDOW", 2),
        ("l2a.ranking.knowledge", "SPARE", 1),
        ("l2a.ranking.ranker", "WINDOW", 2),
        ("app.memory.taking_in", "WINDOW", 2),
        ("app.memory.taking_in", "SPARE", 1),
    ]:
        monkeypatch.setattr(f"{module}.{name}", value)
    asking, receipts, before = make_memory(), [], {}
    for question in (1, 2, 3, 4, 5, 6):
        before[question] = asking.all_chances()
        verdicts = {"编程": "accepted" if question < 4 else "rejected", "电影": "rejected"}
        suggestion = asking.serve(question)
        receipts.append(actions.decide(store, question, team.li, verdicts=verdicts, suggestion_id=suggestion))
    assert asking.memory._known.knowledge.known_from
    for question, receipt in reversed(list(zip(before, receipts, strict=True))):
        actions.undo(store, receipt, team.li)
        assert close_to(asking.all_chances(), before[question], 1e-12)


def acts():
    """One thing that somebody does, as far as it can be done."""
    question = st.integers(1, 6)
    tags = st.lists(st.sampled_from(["编程", "电影", "吉他", NEW]), min_size=1, max_size=3, unique=True)
    return st.one_of(
        st.tuples(st.just("decide"), question, tags),
        st.tuples(st.just("answer"), question, tags),
        st.tuples(st.just("review"), question, tags),
        st.tuples(st.just("undo"), st.integers(0, 9), st.none()),
        st.tuples(st.just("merge"), st.permutations(["编程", "电影", "吉他", NEW]), st.none()),
        st.tuples(st.just("rename"), st.sampled_from(["编程", NEW]), st.sampled_from(["写程序", "看书"])),
        st.tuples(st.just("take back"), st.none(), st.none()),
    )


def act(asking, store, team, done: dict[str, list], what: str, which, more) -> None:
    if what == "decide":
        done["undo"].append(actions.decide(store, which, team.li, *more))
    elif what == "answer":
        verdicts = dict.fromkeys(more, "added") | {"养猫": "rejected"}
        suggestion = asking.serve(which)
        done["undo"].append(actions.decide(store, which, team.wang, verdicts=verdicts, suggestion_id=suggestion))
    elif what == "review":
        done["undo"].append(actions.review(store, which, team.researcher, *more))
    elif what == "undo":
        done["undo"].append(actions.undo(store, done["undo"][which], team.admin))
    elif what == "merge":
        done["tags"].append(actions.change_tags(store, team.researcher, planning.plan_merge, *which[:2]))
    elif what == "rename":
        done["tags"].append(actions.change_tags(store, team.researcher, planning.plan_rename, which, more))
    else:
        done["tags"].append(actions.change_tags(store, team.researcher, planning.plan_undo, done["tags"][-1]))


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(some=st.lists(acts(), min_size=3, max_size=12))
def test_replaying_the_ledger_gives_the_same_chances(some, make_memory, store, team):
    from db.errors import StoreError

    asking, done = make_memory(), {"undo": [], "tags": []}
    for one in some:
        try:
            act(asking, store, team, done, *one)
        except (StoreError, IndexError):  # there is nothing to undo, or no such tag yet
            continue
        asking.memory.catch_up()
    assert close_to(asking.all_chances(), make_memory().all_chances())


def test_two_processes_on_one_store_agree(make_memory, store, team):
    one, other = make_memory(), make_memory()
    for question, tags in ((1, ["编程"]), (4, ["电影", NEW]), (3, ["吉他"])):
        actions.decide(store, question, team.li, *tags)
        assert one.memory.catch_up() == other.memory.catch_up()
        assert one.all_chances() == other.all_chances()


def test_a_line_that_is_seen_late_is_taken_in_late(make_memory, store, team, kind):
    one, other = make_memory(), make_memory()
    actions.decide(store, 7, team.li, NEW, "电影")  # who makes a new tag holds up all others who do
    one.memory.catch_up()
    begun = threading.Event()

    def slowly(session):
        receipt = ledger.submit(session, ledger.Submission(1, team.wang, {NEW: "added"}))
        begun.set()
        assert early.wait(30)
        return receipt

    early = None
    if kind == "sqlite":  # its lines are seen in the order of their numbers: a gap is made by hand
        with store.write() as session:
            session.execute(text("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'entries'"))
    else:
        early = threading.Event()
        slow = threading.Thread(target=store.run, args=(slowly,))
        slow.start()
        assert begun.wait(30)
    later = actions.decide(store, 4, team.li, "电影")
    assert one.memory.catch_up() == later.number
    assert NEW not in one.chances(2)
    assert one.memory._known.position.missing.keys() == {later.number - 1}
    if early is not None:
        early.set()
        slow.join()
        assert one.memory.catch_up() == later.number
        assert NEW in one.chances(2)
        assert one.memory._known.position.missing == {}
    assert one.all_chances() == other.all_chances()


def test_a_number_that_never_comes_is_given_up(make_memory, store, team, monkeypatch):
    asking = make_memory()
    actions.decide(store, 1, team.li, "编程")
    asking.memory.catch_up()
    known = asking.memory._known
    known.position = replace(known.position, missing={1: 0.0})
    monkeypatch.setattr(decided_since, "among", lambda session, numbers: [])
    asking.memory.catch_up()
    assert known.position.missing == {}


def test_memory_that_takes_long_keeps_nobody_waiting(make_memory, store, team, monkeypatch):
    asking, go = make_memory(), threading.Event()
    build = taking_in.build
    monkeypatch.setattr(taking_in, "build", lambda *args, **options: (go.wait(30), build(*args, **options)))
    monkeypatch.setattr(store_memory, "PATIENCE_SECONDS", 0.05)
    with pytest.raises(NotReady):
        asking.chances(1)
    go.set()
    asking.memory._loader.join(30)
    assert asking.chances(1)


def test_what_failed_to_load_is_tried_again(make_memory, monkeypatch):
    asking = make_memory()
    with monkeypatch.context() as broken:
        broken.setattr(taking_in, "build", lambda *_, **__: 1 / 0)
        with pytest.raises(NotReady):
            asking.chances(1)
    assert asking.chances(1)


def test_many_questions_are_cut_on_several_cores(make_memory, store, team, monkeypatch):
    for question in (1, 4, 6):
        actions.decide(store, question, team.li, "编程", NEW)
    monkeypatch.setattr(taking_in, "MANY", 1)
    monkeypatch.setattr(taking_in, "A_PAGE", 2)
    seen = []
    alone, together = make_memory(), make_memory()
    together.memory.rebuild(lambda done, total: seen.append((done, total)), cores=2)
    assert seen == [(2, 3), (3, 3)]
    assert together.all_chances() == alone.all_chances()


def test_a_model_without_a_ranker_has_no_memory(store, tiny_tagger):
    with pytest.raises(ValueError, match="without a ranker"):
        StoreMemory(store, replace(tiny_tagger, prior=None))


def test_numbers_far_back_are_not_waited_for(make_memory, store, team, monkeypatch):
    monkeypatch.setattr(position, "BACK", 3)
    asking = make_memory()
    asking.memory.catch_up()
    with store.write() as session:
        if store.is_sqlite:
            session.execute(text("UPDATE sqlite_sequence SET seq = seq + 100 WHERE name = 'entries'"))
        else:
            session.execute(text("SELECT setval('entries_number_seq', (SELECT max(number) + 100 FROM entries))"))
    number = actions.decide(store, 1, team.li, "编程").number
    assert asking.memory.catch_up() == number
    assert set(asking.memory._known.position.missing) == {number - 3, number - 2, number - 1}
