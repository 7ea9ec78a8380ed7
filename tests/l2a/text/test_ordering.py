from itertools import permutations

import pytest

from l2a.text.ordering import ORDERS, count_tags, order_tags

FREQUENCIES = {"电影": 100, "科幻电影": 20, "星球大战": 5, "影评": 20}
TAGS = ("科幻电影", "电影", "星球大战", "影评")
SIX = tuple("甲乙丙丁戊己")


def test_count_tags_counts_questions():
    assert count_tags([["电影", "影评"], ["电影", "电影"], []]) == {"电影": 2, "影评": 1}


def test_order1_goes_from_rare_to_frequent():
    assert order_tags(TAGS, "order1", FREQUENCIES) == ("星球大战", "影评", "科幻电影", "电影")


def test_order2_goes_from_frequent_to_rare():
    assert order_tags(TAGS, "order2", FREQUENCIES) == ("电影", "影评", "科幻电影", "星球大战")


def test_a_tag_of_unknown_frequency_is_the_rarest():
    assert order_tags(("电影", "新标签"), "order1", FREQUENCIES) == ("新标签", "电影")
    assert order_tags(("新标签", "电影"), "order2", FREQUENCIES) == ("电影", "新标签")


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_in_the_file_does_not_matter(order):
    results = {order_tags(tags, order, FREQUENCIES, seed=3, key="q1") for tags in permutations(TAGS)}
    assert len(results) == 1


@pytest.mark.parametrize("order", ORDERS)
def test_each_tag_comes_once(order):
    ordered = order_tags(("电影", "影评", "电影"), order, FREQUENCIES)
    assert sorted(ordered) == ["影评", "电影"]
    assert order_tags((), order, FREQUENCIES) == ()


def test_random_order_is_the_same_for_the_same_seed_and_question():
    assert order_tags(SIX, "random", {}, seed=1, key="q1") == order_tags(SIX, "random", {}, seed=1, key="q1")
    assert sorted(order_tags(SIX, "random", {}, seed=1, key="q1")) == sorted(SIX)


@pytest.mark.parametrize("changed", ["seed", "key", "epoch"])
def test_another_seed_question_or_epoch_gives_new_shuffles(changed):
    values = {"seed": range(20), "key": [f"q{i}" for i in range(20)], "epoch": range(20)}[changed]
    shuffles = {order_tags(SIX, "random", {}, **{changed: value}) for value in values}
    assert len(shuffles) > 10  # of 20 draws from 720 orders


def test_random_order_does_not_follow_frequency():
    firsts = {order_tags(TAGS, "random", FREQUENCIES, key=str(i))[0] for i in range(50)}
    assert firsts == set(TAGS)


def test_an_unknown_order_is_refused_with_the_valid_ones():
    with pytest.raises(ValueError, match="unknown order 'order3'; valid: order1, order2, random"):
        order_tags(TAGS, "order3", FREQUENCIES)
