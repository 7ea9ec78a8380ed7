"""Model versions: exactly one is live, and every change of it is in the ledger."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy.exc import IntegrityError

from db.errors import NotFound, Refused
from db.models import registry
from tests.db.actions import entry, scalar


@pytest.fixture
def versions(store, team) -> list[str]:
    names = ["v1", "v2", "v3"]
    for name in names:
        store.run(lambda session, name=name: registry.register(session, name, f"models/{name}"))
    return names


def promote(store, version: str, person_id: int | None) -> str:
    return store.run(lambda session: registry.promote(session, version, person_id).version)


def roll_back(store, person_id: int) -> str:
    return store.run(lambda session: registry.roll_back(session, person_id).version)


def prune(store, version: str, person_id: int | None) -> str:
    return store.run(lambda session: registry.prune(session, version, person_id).version)


def states(store) -> dict[str, str]:
    with store.read() as session:
        return {model.version: model.state for model in registry.everything(session)}


def test_a_registered_version_is_a_candidate_with_what_is_known_of_it(store, team, versions):
    def register(session):
        return registry.register(
            session,
            "v4",
            "models/v4",
            person_id=team.admin,
            parent="v1",
            training_data="sha256:abc",
            metrics={"f1": 0.5, "开发集": [1, 2]},
        ).id

    number = store.run(register)
    with store.read() as session:
        model = registry.find(session, "v4")
        assert (model.path, model.state, model.training_data) == ("models/v4", "candidate", "sha256:abc")
        assert (model.parent_id, model.metrics) == (registry.find(session, "v1").id, {"f1": 0.5, "开发集": [1, 2]})
        assert registry.live(session) is None
    assert store.run(register) == number  # once more is the same
    assert scalar(store, "SELECT count(*) FROM entries WHERE kind = 'register'") == 4


def test_an_unknown_version_is_named_with_the_newest_there_are(store, team, versions):
    with pytest.raises(NotFound, match=r"There is no model version v9\. The newest are: v3, v2, v1\."):
        promote(store, "v9", team.admin)
    with pytest.raises(NotFound, match="There is no model version v9"):
        store.run(lambda session: registry.register(session, "v4", "models/v4", parent="v9"))


def test_a_promotion_retires_the_version_that_was_live(store, team, versions):
    promote(store, "v1", None)  # the program itself, at first start
    promote(store, "v2", team.admin)
    assert states(store) == {"v1": "retired", "v2": "live", "v3": "candidate"}
    with store.read() as session:
        assert registry.live(session).version == "v2"
        changes = registry.history(session)
    assert [(c.kind, c.version, c.previous) for c in changes] == [("promote", "v1", None), ("promote", "v2", "v1")]
    assert [entry(store, c.number).person_id for c in changes] == [None, team.admin]


def test_what_is_live_cannot_be_promoted_and_what_is_retired_can(store, team, versions):
    promote(store, "v1", team.admin)
    with pytest.raises(Refused, match="v1 is live already"):
        promote(store, "v1", team.admin)
    promote(store, "v2", team.admin)
    promote(store, "v1", team.admin)
    assert states(store)["v1"] == "live"


def test_a_roll_back_can_be_repeated_back_to_the_first_version(store, team, versions):
    for version in versions:
        promote(store, version, team.admin)
    assert roll_back(store, team.admin) == "v2"
    assert states(store) == {"v1": "retired", "v2": "live", "v3": "retired"}
    assert roll_back(store, team.admin) == "v1"
    with pytest.raises(Refused, match="No other version was live before this one"):
        roll_back(store, team.admin)
    assert states(store)["v1"] == "live"
    with store.read() as session:
        assert [(c.kind, c.version) for c in registry.history(session)][3:] == [("rollback", "v2"), ("rollback", "v1")]


def test_a_roll_back_after_a_new_promotion_goes_to_what_was_live_before_it(store, team, versions):
    promote(store, "v1", team.admin)
    promote(store, "v2", team.admin)
    roll_back(store, team.admin)
    promote(store, "v3", team.admin)
    assert roll_back(store, team.admin) == "v1"


def test_without_a_live_version_there_is_nothing_to_roll_back(store, team, versions):
    with pytest.raises(Refused, match="nothing to roll back to"):
        roll_back(store, team.admin)


def test_models_are_changed_by_admins_only(store, team, versions):
    for person in (team.li, team.researcher):
        with pytest.raises(Refused, match="to change models takes an admin"):
            promote(store, "v1", person)
        with pytest.raises(Refused, match="to change models takes an admin"):
            roll_back(store, person)
    assert states(store) == dict.fromkeys(versions, "candidate")


def test_the_database_itself_allows_no_second_live_version(store, team, versions):
    promote(store, "v1", team.admin)
    with pytest.raises(IntegrityError), store.write() as session:
        registry.find(session, "v2").state = "live"


def test_promotions_at_the_same_time_leave_one_version_live(store, team, versions):
    def attempt(number: int) -> str:
        try:
            return promote(store, versions[number % 3], team.admin)
        except Refused as error:  # somebody else promoted the same one
            return str(error)

    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(attempt, range(12)))
    assert list(states(store).values()).count("live") == 1
    with store.read() as session:
        changes = registry.history(session)
        live = registry.live(session).version
    assert len(changes) == sum(outcome in versions for outcome in outcomes)
    # Each promotion took over from the one before it.
    assert [c.previous for c in changes] == [None, *(c.version for c in changes[:-1])]
    assert changes[-1].version == live


def test_a_version_that_nobody_needs_can_be_pruned(store, team, versions):
    promote(store, "v1", team.admin)
    assert prune(store, "v3", team.admin) == "v3"
    assert states(store) == {"v1": "live", "v2": "candidate", "v3": "pruned"}
    number = scalar(store, "SELECT max(number) FROM entries")
    noted = entry(store, number)
    assert (noted.kind, noted.person_id, noted.payload) == ("prune", team.admin, {"version": "v3"})
    with pytest.raises(Refused, match="v3 was pruned already"):
        prune(store, "v3", team.admin)
    with pytest.raises(NotFound, match="There is no model version v9"):
        prune(store, "v9", team.admin)
    assert scalar(store, "SELECT max(number) FROM entries") == number


def test_the_live_version_and_the_way_back_are_never_pruned(store, team, versions):
    for version in versions:
        promote(store, version, team.admin)
    with pytest.raises(Refused, match=r"v3 is live, so its files must stay\. Promote another version first\."):
        prune(store, "v3", team.admin)
    with pytest.raises(Refused, match="A roll-back would go to v2, so its files must stay"):
        prune(store, "v2", team.admin)
    assert states(store) == {"v1": "retired", "v2": "retired", "v3": "live"}
    roll_back(store, team.admin)  # now the way back leads to v1, and v3 is nobody's
    with pytest.raises(Refused, match="A roll-back would go to v1"):
        prune(store, "v1", team.admin)
    assert prune(store, "v3", team.admin) == "v3"


def test_a_pruned_version_never_goes_live(store, team, versions):
    for version in versions:
        promote(store, version, team.admin)
    prune(store, "v1", team.admin)
    gone = r"v1 was pruned: its files are gone, so it cannot go live\. Promote a version that is still there: "
    with pytest.raises(Refused, match=gone + r"v2\."):
        promote(store, "v1", team.admin)
    roll_back(store, team.admin)
    with pytest.raises(Refused, match=gone + r"v3\."):
        roll_back(store, team.admin)
    assert states(store) == {"v1": "pruned", "v2": "live", "v3": "retired"}
    prune(store, "v3", team.admin)
    with pytest.raises(Refused, match="still there: none; register one first"):
        roll_back(store, team.admin)


def test_versions_are_pruned_by_admins_only(store, team, versions):
    for person in (team.li, team.researcher):
        with pytest.raises(Refused, match="to change models takes an admin"):
            prune(store, "v1", person)
    assert states(store) == dict.fromkeys(versions, "candidate")
    prune(store, "v1", None)  # the program itself
    assert states(store)["v1"] == "pruned"


def test_what_was_compared_with_another_version_does_not_go_live_by_itself(store, team):
    """Two sessions: while a training compares v2 with v1, an admin makes v3 live."""
    store.run(lambda session: [registry.register(session, version, "models/m") for version in ("v1", "v2", "v3")])
    store.run(lambda session: registry.promote(session, "v1", team.admin))
    with store.read() as training:
        compared_with = registry.live(training).version
        store.run(lambda admin: registry.promote(admin, "v3", team.admin))
    with pytest.raises(
        Refused, match="v2 was compared with v1, but v3 is live by now, so v2 does not go live by itself"
    ):
        store.run(lambda session: registry.promote(session, "v2", None, over=compared_with))
    with store.read() as session:
        assert registry.live(session).version == "v3"
    assert store.run(lambda session: registry.promote(session, "v2", None, over="v3")).version == "v2"


def test_a_promotion_that_waits_for_another_one_looks_again(store, team):
    """The admin's promotion is under way, not committed, when the training's begins: it must wait and then refuse."""
    store.run(lambda session: [registry.register(session, version, "models/m") for version in ("v1", "v2", "v3")])
    store.run(lambda session: registry.promote(session, "v1", team.admin))
    ended = []

    def promote_better():
        try:
            store.run(lambda session: registry.promote(session, "v2", None, over="v1"))
            ended.append("promoted")
        except Refused:
            ended.append("refused")

    training = threading.Thread(target=promote_better)
    with store.write() as admin:
        registry.promote(admin, "v3", team.admin)
        training.start()
        training.join(0.3)
        assert ended == []  # it waits for its turn
    training.join()
    assert ended == ["refused"]
    with store.read() as session:
        assert registry.live(session).version == "v3"


def test_a_roll_back_goes_where_somebody_agreed_to_go(store, team):
    with store.read() as session:
        assert registry.earlier(session) is None
    for version in ("v1", "v2", "v3"):
        store.run(lambda session, version=version: registry.register(session, version, f"models/{version}"))
        store.run(lambda session, version=version: registry.promote(session, version, team.admin))
    with store.read() as session:
        assert registry.earlier(session).version == "v2"
    with pytest.raises(Refused, match="would go to v2 by now, not to v1"):
        store.run(lambda session: registry.roll_back(session, team.admin, to="v1"))
    assert store.run(lambda session: registry.roll_back(session, team.admin, to="v2").version) == "v2"
