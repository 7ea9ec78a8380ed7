"""Names that come up in many titles and that nobody has as a tag."""

from l2a.evidence.names.emerging import Text, find_emerging
from tests.l2a.evidence.names.corpus import NAMES, UNKNOWN, finder, titles

NEW = UNKNOWN[5]


def texts(*own: str) -> list[Text]:
    return [Text(number, title) for number, title in enumerate([*titles(150, NAMES[:4], seed=9), *own], start=100)]


NEWS = [f"在{NEW}工作是什么体验？", f"为什么大家都在说{NEW}？", f"如何评价{NEW}最近的做法？", f"想去{NEW}看看"]


def found(*own: str, known=(), **wishes) -> dict[str, tuple[int, ...]]:
    names = find_emerging(texts(*own), finder(), is_known=lambda name: name in {*NAMES, *known}, **wishes)
    return {name.name: name.questions for name in names}


def test_a_new_name_in_several_titles_is_found_with_its_questions():
    assert found(*NEWS)[NEW] == (250, 251, 252, 253)


def test_what_is_known_or_seldom_is_not_found():
    assert NEW not in found(*NEWS, known=[NEW])
    assert NEW not in found(*NEWS[:2])
    assert NEW in found(*NEWS[:2], least=2)


def test_a_name_in_one_title_twice_counts_once():
    assert NEW not in found(NEWS[0], f"{NEW}和{NEW}比起来怎么样？", least=3)


def test_parts_of_a_name_are_not_named_beside_it():
    names = found(*NEWS)
    assert not any(name != NEW and name in NEW for name in names)


def test_figures_say_how_unusual_it_is_and_progress_ends_whole():
    told = []
    names = find_emerging(
        texts(*NEWS), finder(), is_known=NAMES.__contains__, progress=lambda done, total: told.append((done, total))
    )
    one = next(name for name in names if name.name == NEW)
    assert one.surprise > 1
    assert 0 < one.chance <= 1
    assert told[-1][0] == told[-1][1]


def test_no_texts_no_names():
    assert find_emerging([], finder(), is_known=lambda name: False) == []
    assert len(find_emerging(texts(*NEWS), finder(), is_known=lambda name: False, most=1)) <= 1
