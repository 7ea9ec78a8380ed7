"""Pieces of work side by side: each on one thread, all of them done, nobody else's threads touched."""

import threading

import pytest
import torch

from l2a.search.fast.side_by_side import side_by_side


@pytest.fixture
def two_threads():
    usual = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(usual)


def test_every_piece_is_done_on_one_thread(two_threads):
    seen = {}
    both = threading.Barrier(2)

    def act(item):
        if item < 2:
            both.wait(timeout=30)  # two are under way at once
        seen[item] = (torch.get_num_threads(), threading.get_ident())

    side_by_side(act, range(6))
    assert sorted(seen) == list(range(6))
    assert {threads for threads, _ in seen.values()} == {1}
    assert threading.get_ident() not in {ident for _, ident in seen.values()}
    assert torch.get_num_threads() == 2


def test_threads_to_come_have_as_many_as_ever(two_threads):
    side_by_side(lambda item: None, range(2))
    found = []
    later = threading.Thread(target=lambda: found.append(torch.get_num_threads()))
    later.start()
    later.join()
    assert found == [2]


def test_what_one_raises_is_raised(two_threads):
    def act(item):
        if item == 1:
            raise ValueError("one")

    with pytest.raises(ValueError, match="one"):
        side_by_side(act, range(3))
