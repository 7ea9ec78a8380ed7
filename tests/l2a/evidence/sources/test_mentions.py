"""Names and aliases of the store's tags in the text."""

from l2a.evidence.memory.decisions import DecidedQuestion
from tests.l2a.evidence.sources.remembering import ask, figures, memory_of, opened, told

GUITAR = DecidedQuestion(1, "怎样练琴", tags=("吉他",))


def test_a_tag_that_was_given_here_is_found_in_title_and_description():
    source = opened("mentions", memory_of(GUITAR))
    assert figures(source.find(ask("吉他怎么调音"))) == {"吉他": {"title": 1.0}}
    assert figures(source.find(ask("怎么调音", "我有一把吉他"))) == {"吉他": {"description": 1.0}}
    assert told(source.find(ask("吉他怎么调音"))) == {"吉他": ("finding.in_title",)}
    assert told(source.find(ask("怎么调音", "我有一把吉他"))) == {"吉他": ("finding.in_description",)}


def test_a_tag_is_known_from_its_first_decision_to_its_last():
    """An invented name, in no dictionary and in no list."""
    memory = memory_of()
    source = opened("mentions", memory)
    assert source.find(ask("咕噜兽吃什么")) == []
    memory.put(DecidedQuestion(1, "这是什么动物", tags=("咕噜兽",)))
    memory.put(DecidedQuestion(2, "那是什么动物", tags=("咕噜兽",)))
    memory.forget(1)
    assert figures(source.find(ask("咕噜兽吃什么"))) == {"咕噜兽": {"title": 1.0}}
    memory.forget(2)
    assert source.find(ask("咕噜兽吃什么")) == []


def test_a_rejected_tag_is_no_name():
    assert opened("mentions", memory_of(DecidedQuestion(1, "动物", rejected=("咕噜兽",)))).find(ask("咕噜兽")) == []


def test_the_stores_own_names_and_aliases_are_found():
    memory = memory_of(GUITAR)
    memory.learn_names([("木吉他", "吉他", None), ("钢琴", "钢琴", "乐器"), ("乐器", "乐器", None)])
    source = opened("mentions", memory)
    assert set(figures(source.find(ask("木吉他和钢琴")))) == {"吉他", "钢琴"}
    assert (memory.parent("钢琴"), memory.parent("乐器")) == ("乐器", None)
    memory.learn_names([("小提琴", "小提琴", None)])  # takes the place of the list before
    assert set(figures(source.find(ask("钢琴和小提琴")))) == {"小提琴"}
    assert memory.parent("钢琴") is None
