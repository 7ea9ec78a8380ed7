"""The parts of all questions that are set aside."""

import pytest

from db.errors import Refused
from db.queue.shares import Shares, get_shares
from tests.db.actions import share


def shares_of(store) -> Shares:
    with store.read() as session:
        return get_shares(session)


def test_a_tenth_is_random_and_nothing_blind_unless_set_otherwise(store):
    assert shares_of(store) == Shares(random=0.1, blind=0.0)


def test_shares_are_kept_and_can_be_changed(store):
    share(store, random=0.25, blind=0.125)
    assert shares_of(store) == Shares(random=0.25, blind=0.125)
    share(store, random=1.0, blind=0.0)
    assert shares_of(store) == Shares(random=1.0, blind=0.0)


@pytest.mark.parametrize(("random", "blind"), [(-0.1, 0.0), (0.0, -0.1), (1.1, 0.0), (0.6, 0.5), (float("nan"), 0.0)])
def test_shares_that_do_not_work_are_refused(store, random, blind):
    with pytest.raises(Refused, match="each is from 0 to 1, and so is their sum"):
        share(store, random=random, blind=blind)
    assert shares_of(store) == Shares()
