"""What the tests share does not depend on which of them ran before."""

import pytest
import torch


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_of_one_test_are_not_those_of_the_next(threads):
    assert torch.get_num_threads() == 1
    torch.set_num_threads(threads)
