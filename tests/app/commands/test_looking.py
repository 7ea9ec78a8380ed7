"""`stats`, `show`, `undo`, `redact`, `queue`, `people` and `models`."""

import json
from datetime import datetime, timedelta

import pytest

from app.shell.settings import ROOT
from db.queue import claims as queue
from db.store.tables import Lease


def test_stats_as_a_table_and_as_json(answer, decide, suggested):
    decide(1, "li", "编程", suggestion_id=suggested, seconds=3.0)
    table = answer("stats")
    for line in (
        "questions     4\n",
        "by source     guokr 2, zhihu 2\n",
        "queue         3 open, 0 in hands, 1 answered\n",
        "verdicts      accepted 1, unjudged 1\n",
        "suggestions   v1 1\n",
        "live model    v1\n",
        "              li (moderator): 1 decisions, 3.0 s each, last ",
    ):
        assert line in table
    found = json.loads(answer("stats", "--json"))
    assert (found["questions"], found["verdicts"]) == (4, {"accepted": 1, "unjudged": 1})
    assert found["shares"] == {"random": 0.1, "blind": 0.0}
    assert "agreement" not in found


def test_agreement_between_people_and_with_the_model(answer, decide, suggested):
    """Two opinions on two questions: the same on one, nothing in common on the other."""
    assert "alpha         none: " in answer("stats", "--agreement")
    decide(1, "li", "编程", "-计算机", suggestion_id=suggested)
    decide(1, "wang", "编程")
    decide(2, "li", "跑步")
    decide(2, "wang", "健康")
    table = answer("stats", "--agreement", "--top", 1)
    assert "(4 opinions on 2 questions)\n" in table
    assert "kappa         1.000  编程 (2 opinions on 1 questions)\n" in table
    assert "健康" not in table
    assert "1 answers (0 blind), precision 0.500, recall 1.000, similarity 0.333, " in table
    assert "accepted 0.500 of the 2 tags shown, 0.500 of the 2 judged\n" in table
    found = json.loads(answer("stats", "--agreement", "--json"))["agreement"]
    # Distances 0 and 1 on the questions; between any two opinions 0 for one pair of six, 1 for five.
    assert found["alpha"]["value"] == pytest.approx(1 - (1 / 2) / (5 / 6))
    assert (found["model"]["acceptance_of_shown"], found["model"]["acceptance_of_judged"]) == (0.5, 0.5)


def test_a_tag_left_untouched_was_shown_and_not_accepted(answer, decide, suggested):
    decide(1, "li", "编程", suggestion_id=suggested)  # 计算机 is left untouched
    assert "accepted 0.500 of the 2 tags shown, 1.000 of the 1 judged\n" in answer("stats", "--agreement")
    model = json.loads(answer("stats", "--agreement", "--json"))["agreement"]["model"]
    assert (model["acceptance_of_shown"], model["acceptance_of_judged"], model["unjudged_share"]) == (0.5, 1.0, 0.5)


def test_show_a_question_now_and_on_a_past_day(answer, refusal, decide, store, filled):
    number = decide(1, "li", "编程", "新手")
    store.run(lambda session: queue.claim_question(session, filled.wang, 2))
    shown = answer("show", 1)
    for line in (
        "1  零基础学编程从哪里开始？\n",
        "  source      zhihu\n",
        "  id there    a1\n",
        "  prior tags  编程, 自学\n",
        "  state       single\n",
        "  labels      编程, 新手\n",
        f"  entry {number}, li, ",
        " (decision, answer, direct): +编程 +新手\n",
    ):
        assert line in shown
    shown = answer("show", 2)
    assert "  体重一百七。\n" in shown
    assert "  state       nobody decided yet\n" in shown
    assert "  held by wang until " in shown
    tomorrow = datetime.now().date() + timedelta(days=1)
    assert "编程, 新手" in answer("show", 1, "--at", tomorrow)
    assert "held by" not in answer("show", 2, "--at", tomorrow)
    assert refusal("show", 1, "--at", "2020-01-01").startswith("There is no question 1 on 2020-01-01T00:00:00")
    assert refusal("show", 99) == "There is no question 99."


def test_a_past_moment_knows_nothing_of_what_came_later(answer, decide, store):
    from db.ledger import entries as ledger

    first = decide(1, "li", "编程")
    with store.read() as session:
        then = ledger.find_receipt(session, first).at
    decide(1, "li", "新手")
    assert "  labels      编程\n" in answer("show", 1, "--at", then.isoformat())
    assert "  labels      新手\n" in answer("show", 1)


def test_a_skip_is_taken_back_by_its_receipt(answer, refusal, filled, store):
    held = store.run(lambda session: queue.claim(session, filled.li))
    store.run(lambda session: queue.skip(session, held.lease_id, filled.li, "later"))
    said = answer("undo", f"S{held.lease_id}", "--as", "li")
    assert said == f"The skip of question {held.question_id} is taken back.\n"
    assert "or it was taken back already" in refusal("undo", f"S{held.lease_id}", "--as", "li")


def test_undo_and_undo_of_undo(answer, refusal, decide):
    number = decide(1, "li", "编程")
    assert answer("undo", number, "--as", "li").splitlines() == [
        f"Entry {number} about question 1 is taken back, by entry {number + 1}.",
        f"To bring it back: python -m app undo {number + 1}",
    ]
    assert "nobody decided yet" in answer("show", 1)
    assert f"was taken back already, by entry {number + 1}" in refusal("undo", number)
    answer("undo", number + 1)
    assert "  labels      编程\n" in answer("show", 1)
    assert refusal("undo", number, "--as", "wang").startswith("wang is a moderator; to undo for others takes a")
    assert refusal("undo", 9999) == "There is no ledger entry 9999."


@pytest.mark.usefixtures("filled")
def test_undo_names_the_other_ways_back(refusal, answer):
    out = answer("tags", "deprecate", "编程", "--yes")
    number = out.split("entry ")[1].split(".")[0]
    assert refusal("undo", number).endswith(f"has a way back of its own: python -m app tags undo {number}")
    assert refusal("undo", 1).endswith("python -m app people role NAME ROLE")


def test_a_redaction_shows_asks_and_removes_the_text(answer, call, refusal, decide, at_terminal):
    number = decide(2, "li", "跑步")
    assert "--yes" in refusal("redact", 2, "--reason", "asked for")
    at_terminal("n")
    code, out, err = call("redact", 2, "--reason", "asked for")
    assert (code, err) == (1, "Go on? [y/N] Nothing was changed.\n")
    assert out.startswith("2  跑步伤膝盖吗？\n")
    assert "Question 2 is redacted: entry " in answer("redact", 2, "--reason", "asked for", "--yes")
    shown = answer("show", 2)
    assert "跑步伤膝盖吗" not in shown
    assert f"  entry {number}, li, " in shown
    assert "redacted already. Looking for copies again." in answer("redact", 2, "--reason", "asked for", "--yes")


def test_a_redaction_says_what_stays(answer, filled):
    said = answer("redact", 2, "--reason", "asked for", "--yes")
    for what in ("backups", "exports", "models that were trained on", "VACUUM", "a hash of its text"):
        assert what in said
    assert "0 rows went from training snapshots." in said


def test_the_queue_and_its_holders(answer, store, filled):
    store.run(lambda session: queue.claim_question(session, filled.li, 3))
    lines = answer("queue", "status").splitlines()
    assert lines[:2] == ["3 of 4 questions are open, 0 have answers", "0 conflicts, 0 reviewed"]
    assert lines[3] == "shares: 0.1 random, 0 blind"
    assert lines[4].startswith("question 3 is with li since ")


@pytest.mark.usefixtures("filled")
def test_shares_and_overlap_are_changed(answer, refusal):
    assert answer("queue", "shares", "--blind", 1, "--random", 0) == (
        "0 of the questions are served at random, 1 blind.\n"
    )
    assert "pools: blind 4\n" in answer("queue", "status")
    assert answer("queue", "shares", "--blind", 0.5).endswith("0.5 blind.\n")
    assert "do not work" in refusal("queue", "shares", "--random", 0.6)
    assert refusal("queue", "shares") == "Nothing to change: pass --random, --blind or both."
    assert answer("queue", "overlap", 2, "--source", "zhihu") == "2 questions ask for 2 opinions now.\n"
    assert answer("queue", "overlap", 3, "--as", "zhao") == "4 questions ask for 3 opinions now.\n"


def test_people_come_change_and_go(answer, refusal, team):
    assert answer("people", "add", "sun", "--role", "researcher") == "sun is a researcher now.\n"
    assert "already" in refusal("people", "add", "sun")
    assert answer("people", "role", "sun", "moderator") == "sun is a moderator now.\n"
    assert answer("people", "deactivate", "sun").startswith("sun is no longer active")
    listed = answer("people", "list").splitlines()
    assert [line.split("\t")[:2] for line in listed[:2]] == [["chen", "admin"], ["zhao", "researcher"]]
    assert listed[-1].startswith("sun\tmoderator\tsince ")
    assert listed[-1].endswith("\tno longer active")
    assert refusal("queue", "overlap", 2, "--as", "sun") == "sun is no longer active."
    assert answer("people", "reactivate", "sun") == "sun is active again, as a moderator.\n"
    assert answer("people", "list").splitlines()[-1].count("\t") == 2
    assert refusal("people", "reactivate", "sun") == "sun is active already."
    assert answer("people", "role", "sun", "admin") == "sun is an admin now.\n"
    assert refusal("people", "add", "wu", "--role", "boss").startswith("boss is not a role. The roles are moderator,")
    assert refusal("people", "role", "nobody", "admin").startswith("There is no person called nobody.")
    assert answer("people", "deactivate", "sun", "--as", "chen").startswith("sun")
    assert "last admin" in refusal("people", "deactivate", "chen")


@pytest.mark.parametrize("asked", ["moderator", "admin"])
def test_the_first_person_is_an_admin_whoever_is_added(answer, refusal, asked):
    assert answer("people", "add", "chen", "--role", asked) == "chen is an admin now.\n"  # the user's own name
    assert refusal("people", "add", "chen") == "There is a person called chen already."
    assert answer("people", "add", "li") == "li is a moderator now.\n"
    assert [line.split("\t")[:2] for line in answer("people", "list").splitlines()] == [
        ["chen", "admin"],
        ["li", "moderator"],
    ]


def test_whoever_adds_the_first_person_is_an_admin(answer):
    assert answer("people", "add", "li") == "li is a moderator now.\n"
    assert [line.split("\t")[:2] for line in answer("people", "list").splitlines()] == [
        ["chen", "admin"],
        ["li", "moderator"],
    ]


def test_models_are_registered_promoted_and_rolled_back(answer, refusal, tmp_path, team):
    version = json.loads((ROOT / "models" / "starter" / "config.json").read_text())["version"]
    out = answer("models", "register", ROOT / "models" / "starter")
    assert out == (f"{version} is registered (candidate).\nTo make it live: python -m app models promote {version}\n")
    assert answer("models", "list").startswith(f"{version}\tcandidate\tmodels/starter\tregistered ")
    answer("models", "promote", version)
    assert "is live already" in refusal("models", "promote", version)
    second = tmp_path / "second"
    second.mkdir()
    (second / "config.json").write_text('{"kind": "l2a-tagger", "version": "abc", "metrics": {"f1": 1}}')
    answer("models", "register", second, "--parent", version, "--training-data", "ff")
    assert answer("models", "promote", "abc") == "abc is live now. To go back: python -m app models rollback\n"
    assert [line.split("\t")[:3] for line in answer("models", "list").splitlines()] == [
        [version, "retired", "models/starter"],
        ["abc", "live", str(second)],
    ]
    assert answer("models", "rollback") == f"{version} is live again.\n"
    assert "nothing to roll back to" in refusal("models", "rollback")
    assert refusal("models", "promote", "zzz").startswith("There is no model version zzz.")


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        (None, "this is no model folder (config.json: No such file or directory)"),
        ("{", "config.json cannot be read ("),
        ("[]", "config.json is not that of an L2A model."),
        ('{"kind": "other", "version": "1"}', "config.json is not that of an L2A model."),
        ('{"kind": "l2a-tagger"}', "config.json is not that of an L2A model."),
    ],
)
def test_a_folder_that_holds_no_model_is_refused(refusal, tmp_path, config, complaint):
    if config is not None:
        (tmp_path / "config.json").write_text(config)
    assert refusal("models", "register", tmp_path).startswith(f"{tmp_path}: {complaint}")


def test_the_kind_of_model_is_that_of_the_engine():
    from app.serving.model_folder import KIND
    from l2a.checkpoint import KIND as ENGINES

    assert KIND == ENGINES


def test_a_lease_that_ran_out_is_no_holder(answer, store, filled):
    store.run(lambda session: queue.claim_question(session, filled.li, 3, seconds=-1))
    with store.read() as session:
        assert session.query(Lease).count() == 1
    assert "is with" not in answer("queue", "status")
