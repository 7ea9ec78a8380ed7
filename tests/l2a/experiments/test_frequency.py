from l2a.experiments.results.frequency import compare, containing_pairs, find_chains, listed_pairs
from l2a.measure.metrics import tag_frequencies

TAGS = [("电影",)] * 4 + [("科幻电影",)] * 2 + [("国产科幻电影",)] * 2 + [("影",)] + [("Python",)] * 3


def lines_of(tag_lists):
    return {line.tag.casefold(): line for line in tag_frequencies(tag_lists)}


def test_a_tag_is_more_specific_if_it_contains_the_name_of_another():
    pairs = containing_pairs(["电影", "科幻电影", "国产科幻电影", "影", "python"])
    # 影 is one character: it stands in too many names.
    assert dict(pairs) == {"电影": ["科幻电影", "国产科幻电影"], "科幻电影": ["国产科幻电影"]}


def test_pairs_are_counted_by_which_tag_is_more_frequent():
    found = compare({"电影": ["科幻电影", "国产科幻电影"], "科幻电影": ["国产科幻电影"]}, lines_of(TAGS))
    assert found == {"pairs": 3, "abstract": 2 / 3, "equal": 1 / 3, "specific": 0.0}
    assert compare({}, lines_of(TAGS)) == {"pairs": 0, "abstract": 0.0, "equal": 0.0, "specific": 0.0}


def test_listed_parents_count_where_training_has_both():
    pairs = listed_pairs([("电影", "Python"), ("艺术", "电影"), ("电影", "电影"), ("", "影")], lines_of(TAGS))
    assert dict(pairs) == {"电影": ["python"]}


def test_a_chain_goes_to_the_most_frequent_specific_tag_and_uses_no_tag_twice():
    lines = lines_of([*TAGS, ("科幻电影",), ("电影院",)])
    (chain,) = find_chains(containing_pairs(list(lines)), lines)
    assert [(line.tag, line.count) for line in chain] == [("电影", 4), ("科幻电影", 3), ("国产科幻电影", 2)]
