"""The paired bootstrap: the same draws whatever fits into memory."""

import random

from l2a.measure import bootstrap


def test_many_questions_are_drawn_a_part_at_a_time_with_the_same_result(monkeypatch):
    picker = random.Random(1)
    gold = [tuple(picker.sample("甲乙丙丁戊", 2)) for _ in range(50)]
    before, after = ([tuple(picker.sample("甲乙丙丁戊", 2)) for _ in gold] for _ in range(2))
    whole = bootstrap.difference_interval(gold, before, after, seed=3, resamples=200)
    assert whole[0] < whole[1]
    monkeypatch.setattr(bootstrap, "_AT_ONCE", 350)  # seven resamples
    assert bootstrap.difference_interval(gold, before, after, seed=3, resamples=200) == whole
