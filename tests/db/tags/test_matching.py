"""Searching tags: one test per rule, then properties that hold for any tags."""

import itertools
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from db.tags.names import tag_key
from db.tags.search.matching import TagEntry, TagIndex, TagMatch
from db.tags.search.pinyin import sounds

ROOT = Path(__file__).resolve().parents[3]
NAMES = [
    *(
        "电影",
        "电影院",
        "看电影",
        "重庆",
        "银行",
        "音乐",
        "女",
        "女生",
        "河北师范大学",
        "Python爬虫",
        "西安",
        "电信",
        "绿色",
    ),
    *("略", "乾隆", "干燥", "80后", "C语言", "C++", "C#", ".NET", "電視劇", "機器學習", "编程语言", "编程", "人工智能"),
    *("JavaScript", "Café", "数学", "说话", "北京大学", "北极熊", "Lady"),
]
ALIASES = {"电影": ("影片", "Movies"), "人工智能": ("AI", "智能机器"), "编程": ("写代码",)}


def make_index(*names: str, **options) -> TagIndex:
    """Tags by their names, the first the most used."""
    return TagIndex([TagEntry(n, name, uses=len(names) - n, **options) for n, name in enumerate(names)])


def names_of(matches: list[TagMatch]) -> list[str]:
    return [match.name for match in matches]


def hows(matches: list[TagMatch]) -> list[tuple[str, str]]:
    return [(match.name, match.how) for match in matches]


@pytest.fixture(scope="module")
def index() -> TagIndex:
    entries = [TagEntry(n, name, ALIASES.get(name, ()), uses=100 - n) for n, name in enumerate(NAMES)]
    return TagIndex([*entries, TagEntry(900, "iPhone 15", uses=3), TagEntry(901, "iPhone 15 Pro", uses=9)], revision=7)


@pytest.mark.parametrize(
    ("query", "name", "how"),
    [
        # as written
        ("电影", "电影", "exact"),
        ("北京", "北京大学", "prefix"),
        ("师范", "河北师范大学", "substring"),
        ("极", "北极熊", "substring"),
        ("ＰＹＴＨＯＮ", "Python爬虫", "prefix"),
        ("爬虫", "Python爬虫", "substring"),
        ("c++", "C++", "exact"),
        ("C#", "C#", "exact"),
        ("net", ".NET", "prefix"),
        ("iphone15", "iPhone 15", "prefix"),
        ("cafe", "Café", "prefix"),
        # by an alias
        ("影片", "电影", "exact"),
        ("movies", "电影", "exact"),
        ("代码", "编程", "substring"),
        ("xiedaima", "编程", "pinyin"),
        ("xdm", "编程", "initials"),
        # traditional and simplified
        ("電影", "电影", "exact"),
        ("電影院", "电影院", "exact"),
        ("电视剧", "電視劇", "exact"),
        ("機器", "機器學習", "prefix"),
        ("机器学习", "機器學習", "exact"),
        ("学习", "機器學習", "substring"),
        ("乾", "乾隆", "prefix"),
        ("乾燥", "干燥", "exact"),
        # pinyin, with every reading
        ("dianying", "电影", "pinyin"),
        ("DianYing", "电影", "pinyin"),
        ("dianyi", "电影", "pinyin"),
        ("diany", "电影", "pinyin"),
        ("chongqing", "重庆", "pinyin"),
        ("zhongqing", "重庆", "pinyin"),
        ("yinhang", "银行", "pinyin"),
        ("yinxing", "银行", "pinyin"),
        ("yinyue", "音乐", "pinyin"),
        ("yinle", "音乐", "pinyin"),
        ("nv", "女", "pinyin"),
        ("nu", "女", "pinyin"),
        ("nü", "女", "pinyin"),
        ("nǚ", "女", "pinyin"),
        ("lvse", "绿色", "pinyin"),
        ("lue", "略", "pinyin"),
        ("xian", "西安", "pinyin"),
        ("xi'an", "西安", "pinyin"),
        ("xi’an", "西安", "pinyin"),
        ("xi an", "西安", "pinyin"),
        ("xī ān", "西安", "pinyin"),
        ("xi1an1", "西安", "pinyin"),
        ("qianlong", "乾隆", "pinyin"),
        ("dianshiju", "電視劇", "pinyin"),
        ("shifan", "河北师范大学", "pinyin"),
        ("80hou", "80后", "pinyin"),
        ("pythonpachong", "Python爬虫", "pinyin"),
        ("cyuyan", "C语言", "pinyin"),
        ("电ying", "电影", "pinyin"),
        ("dian影", "电影", "pinyin"),
        # initials
        ("dy", "电影", "initials"),
        ("hbsfdx", "河北师范大学", "initials"),
        ("sfdx", "河北师范大学", "initials"),
        ("hebeisfdx", "河北师范大学", "initials"),
        ("hbshfdx", "河北师范大学", "initials"),
        ("pythonpc", "Python爬虫", "initials"),
        # typing errors
        ("点影", "电影", "typo"),
        ("人工只能", "人工智能", "typo"),
        ("人工知能", "人工智能", "typo"),
        ("河北师泛大学", "河北师范大学", "typo"),
        ("河北范师大学", "河北师范大学", "typo"),
        ("dianyign", "电影", "typo"),
        ("dainying", "电影", "typo"),
        ("suxue", "数学", "typo"),
        ("chonqing", "重庆", "typo"),
        ("javascrpt", "JavaScript", "typo"),
        ("pyhton", "Python爬虫", "typo"),
    ],
)
def test_a_tag_is_found(index, query, name, how):
    match = next(match for match in index.search(query) if match.name == name)
    assert match.how == how


@pytest.mark.parametrize(
    "query", ["河北大学师范学院附属中学", "xyzxyz", "dx9", "影电", "猫", "wxyz", "。", "🎬", "电影电影电影", "zzzz"]
)
def test_what_is_not_there_is_not_found(index, query):
    assert index.search(query) == []


def test_a_match_says_all_about_the_tag(index):
    (match,) = index.search("影片")
    assert (match.tag_id, match.name, match.matched) == (0, "电影", "影片")
    assert (match.how, match.status, match.uses) == ("exact", "active", 100)


@pytest.mark.parametrize(
    ("query", "matched"),
    [
        ("电影", "电影"),
        ("yingpian", "影片"),
        ("mov", "Movies"),
        ("dianyin", "电影"),
        ("影骗", "影片"),
        ("yingpina", "影片"),
    ],
)
def test_the_spelling_that_matched_is_named(index, query, matched):
    assert index.search(query)[0].matched == matched


def test_classes_stand_in_order():
    index = TagIndex(
        [
            TagEntry(1, "电影", uses=0),
            TagEntry(2, "片子", ("电影",), uses=1),
            TagEntry(3, "电影院", uses=2),
            TagEntry(4, "看电影", uses=3),
            TagEntry(5, "点映", uses=4),
        ]
    )
    assert [(match.tag_id, match.how) for match in index.search("电影")] == [
        (1, "exact"),
        (2, "exact"),
        (3, "prefix"),
        (4, "substring"),
    ]


def test_pinyin_classes_stand_in_order():
    index = make_index("大饮", "大弟弟影院", "看电影", "电影院", "电影", "Dianying", "电台")
    assert hows(index.search("dianying")) == [
        ("Dianying", "exact"),
        ("电影", "pinyin"),
        ("电影院", "pinyin"),
        ("看电影", "pinyin"),
    ]
    assert hows(index.search("dy")) == [
        ("大饮", "initials"),
        ("电影", "initials"),
        ("电影院", "initials"),
        ("大弟弟影院", "initials"),
        ("看电影", "initials"),
    ]


def test_a_common_reading_stands_above_a_rare_one():
    index = make_index("电台", "看店医", "电医")
    assert hows(index.search("dianyi")) == [("电医", "pinyin"), ("看店医", "pinyin"), ("电台", "pinyin")]


def test_within_a_class_more_uses_then_the_shorter_name_then_the_name_decide():
    entries = [
        TagEntry(1, "电影史", uses=1),
        TagEntry(2, "电影节", uses=1),
        TagEntry(3, "电影", ("电影艺术",), uses=1),
        TagEntry(4, "电影评论", uses=1),
        TagEntry(5, "电影学院", uses=9),
    ]
    assert [match.tag_id for match in TagIndex(entries).search("电")] == [5, 3, 1, 2, 4]


def test_deprecated_tags_stand_below_active_ones_of_their_class():
    entries = [
        TagEntry(1, "电影史", uses=500, status="deprecated"),
        TagEntry(2, "电影节", uses=1),
        TagEntry(3, "看电影", uses=900),
        TagEntry(4, "旧电影", uses=9_000, status="merged"),
    ]
    index = TagIndex(entries)
    assert [match.tag_id for match in index.search("电影")] == [2, 1, 3, 4]
    assert [match.tag_id for match in index.search("电影", include_deprecated=False)] == [2, 3]
    assert [match.tag_id for match in index.search("")] == [3, 2, 4, 1]
    assert [match.tag_id for match in index.search("", include_deprecated=False)] == [3, 2]


def test_the_very_name_stands_above_its_simplified_form_however_used():
    index = make_index("电影", "電影")
    assert names_of(index.search("電影")) == ["電影", "电影"]
    assert names_of(index.search("电影")) == ["电影", "電影"]
    assert names_of(index.search("電影", limit=1)) == ["電影"]


def test_an_alias_that_is_the_simplified_name_counts_as_an_alias():
    index = TagIndex([TagEntry(1, "乾", ("干",)), TagEntry(2, "甘", ("干",), uses=9)])
    assert [(match.tag_id, match.matched) for match in index.search("干")] == [(2, "干"), (1, "干")]


@pytest.mark.parametrize("query", ["", "   ", "\t\n", "\u200b"])
def test_an_empty_query_shows_the_most_used(index, query):
    assert names_of(index.search(query, limit=3)) == ["电影", "电影院", "看电影"]


@pytest.mark.parametrize("limit", [0, -1])
def test_no_limit_no_tags(index, limit):
    assert index.search("电影", limit=limit) == []


def test_an_empty_index_finds_nothing():
    index = TagIndex([])
    assert len(index) == 0
    assert [index.search(query) for query in ("", "电影", "dianying", "dianyign", "点影")] == [[]] * 5
    assert names_of(index.updated([TagEntry(1, "电影")], [], 1).search("dianying")) == ["电影"]


def test_words_leave_places_to_readings():
    words = [f"dy{number}" for number in range(20)]
    index = make_index(*words, "电影")
    assert names_of(index.search("dy", limit=5)) == ["dy0", "dy1", "dy2", "dy3", "电影"]
    assert len(index.search("dy", limit=10)) == 10
    assert names_of(make_index("dy", *words, "电影").search("dy", limit=3)) == ["dy", "dy0", "dy1"]  # it is a tag


def test_a_word_is_no_reading():
    assert [match.how for match in make_index("Lady", "lady gaga").search("la")] == ["prefix", "prefix"]
    assert [match.how for match in make_index("Lady").search("ad")] == ["substring"]


def test_the_start_of_a_word_stands_above_its_inside():
    assert names_of(make_index("melody", "bob dylan", "dyson").search("dy")) == ["dyson", "bob dylan", "melody"]


def test_no_errors_are_forgiven_in_a_short_query():
    index = make_index("电脑", "电影", "cat", "map", "电视机")
    assert index.search("电器") == []
    assert index.search("car") == []
    assert index.search("机") != []
    assert names_of(index.search("点脑")) == ["电脑"]


def test_no_errors_are_looked_for_if_the_query_is_a_tag():
    index = make_index("javascript", "javascripe", "电影", "电映")
    assert names_of(index.search("javascript")) == ["javascript"]
    assert names_of(index.search("电影")) == ["电影"]


def test_a_smaller_error_stands_above_a_larger_one():
    index = make_index("programmer", "programmings", "programming")
    assert names_of(index.search("programmimg")) == ["programming", "programmings"]


def test_a_very_long_query_is_cut():
    index = make_index("电影", "a" * 600)
    assert index.search("电影" * 100_000) == []
    assert names_of(index.search("a" * 100_000)) == ["a" * 600]
    assert index.search("anan" * 100) == []


def test_the_last_entry_of_a_tag_counts():
    index = TagIndex([TagEntry(1, "电影"), TagEntry(1, "电视")])
    assert len(index) == 1
    assert names_of(index.search("电")) == ["电视"]


def test_an_update_leaves_the_old_index_as_it_was(index):
    before = index.search("dianying")
    new = index.updated([TagEntry(0, "电视", uses=5), TagEntry(77_000, "店影", uses=5_000)], [2], 8)
    assert (index.revision, new.revision) == (7, 8)
    assert len(new) == len(index)
    assert index.search("dianying") == before
    assert names_of(new.search("dianying")) == ["店影", "电影院"]
    assert names_of(new.search("电视")) == ["电视", "電視劇"]


def test_a_tag_that_is_removed_and_changed_at_once_stays():
    index = make_index("电影", "音乐").updated([TagEntry(1, "数学")], [0, 1, 5], 1)
    assert names_of(index.search("")) == ["数学"]


def test_importing_loads_no_dictionary():
    code = (
        "import sys, db.tags.search.matching\n"
        "print(sorted({'opencc', 'pypinyin', 'rapidfuzz', 'torch', 'streamlit', 'l2a'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_changing_one_tag_costs_a_fraction_of_a_new_index():
    entries = [TagEntry(n, "".join(pair)) for n, pair in enumerate(itertools.product(NAMES, repeat=2))]

    def shortest(call) -> float:
        times = []
        for _ in range(5):
            start = time.perf_counter()
            call()
            times.append(time.perf_counter() - start)
        return min(times)

    index = TagIndex(entries)
    assert 3 * shortest(lambda: index.updated([TagEntry(3, "新的")], [], 1)) < shortest(lambda: TagIndex(entries))


# Properties. The alphabet has hanzi of several readings, pairs that sound alike, traditional forms and Latin letters.
LETTERS = "电影點点重庆行乐長长女绿乾干隆西安先aeinxyzAé15 -'.+，"
WORDS = st.text(st.sampled_from(LETTERS), min_size=1, max_size=8).filter(tag_key)
ENTRIES = st.lists(
    st.builds(
        TagEntry,
        tag_id=st.integers(0, 30),
        name=WORDS,
        aliases=st.lists(WORDS, max_size=2).map(tuple),
        status=st.sampled_from(["active", "active", "deprecated", "merged"]),
        uses=st.integers(0, 3),
    ),
    max_size=12,
)
A_PROPERTY = settings(max_examples=60, deadline=None)  # the first example reads the dictionaries
ANY_TEXT = st.text(st.characters(exclude_categories=()))


def naive_search(entries: list[TagEntry], query: str) -> list[tuple[int, str]]:
    """Text classes only, for names of simplified hanzi without aliases."""
    found = []
    for entry in entries:
        if query in entry.name:
            level = 0 if entry.name == query else 1 if entry.name.startswith(query) else 2
            order = (level, entry.status != "active", -entry.uses, len(entry.name), entry.name, entry.tag_id)
            found.append((order, (entry.tag_id, ("exact", "prefix", "substring")[level])))
    return [match for _, match in sorted(found)]


@A_PROPERTY
@given(st.lists(st.text(st.sampled_from("电影先安"), min_size=1, max_size=4), max_size=12), st.data())
def test_text_classes_are_those_of_a_plain_search(names, data):
    status = st.sampled_from(["active", "deprecated"])
    entries = [TagEntry(n, name, (), data.draw(status), data.draw(st.integers(0, 2))) for n, name in enumerate(names)]
    query = data.draw(st.text(st.sampled_from("电影先安"), min_size=1, max_size=3))
    found = TagIndex(entries).search(query, limit=50)
    assert [(match.tag_id, match.how) for match in found if match.how != "typo"] == naive_search(entries, query)


@A_PROPERTY
@given(st.lists(WORDS, min_size=1, max_size=10, unique_by=tag_key))
def test_every_tag_is_the_best_match_of_its_own_name(names):
    index = make_index(*names)
    for tag_id, name in enumerate(names):
        best = index.search(name, limit=1)[0]
        assert (best.tag_id, best.matched, best.how) == (tag_id, name, "exact")


@A_PROPERTY
@given(ENTRIES, st.data())
def test_every_tag_is_found_by_any_part_of_its_spellings(entries, data):
    index = TagIndex(entries)
    for tag in {entry.tag_id: entry for entry in entries}.values():
        key = tag_key(data.draw(st.sampled_from((tag.name, *tag.aliases))))
        start = data.draw(st.integers(0, len(key) - 1))
        part = key[start : data.draw(st.integers(start + 1, len(key)))]
        assert tag.tag_id in [match.tag_id for match in index.search(part, limit=len(index))]


@A_PROPERTY
@given(
    st.text(st.sampled_from("电影点重庆行乐长女绿西安先台说的"), min_size=1, max_size=4), st.lists(WORDS, max_size=5)
)
def test_every_tag_is_found_by_each_of_its_readings(name, others):
    index = make_index(*others, name)
    for reading in itertools.islice(itertools.product(*(sounds().readings[hanzi] for hanzi in name)), 40):
        matches = index.search("".join(reading), limit=len(index))
        assert (len(others), "pinyin") in [(match.tag_id, match.how) for match in matches]


@A_PROPERTY
@given(st.lists(ANY_TEXT, max_size=5), ANY_TEXT, st.integers(0, 5))
@example(["\ud800", "", "ﷺ", "é\u0301", "\U000f0000"], "\ud800a", 5)
@example(["", "...", "\x1e\n", "電\x00影"], "\x1e", 5)
def test_any_text_can_be_indexed_and_searched(names, query, limit):
    index = make_index(*names)
    for text in (query, *names, query + "dianying", "".join(names)):
        assert len(index.search(text, limit)) <= limit


@A_PROPERTY
@given(
    ENTRIES, st.one_of(WORDS, st.sampled_from(["", "dy", "xian", "dianying", "changle", "点影"])), st.integers(1, 15)
)
def test_matches_are_unique_sorted_and_of_the_index(entries, query, limit):
    tags = {entry.tag_id: entry for entry in entries}
    matches = TagIndex(entries).search(query, limit)
    assert len(matches) <= limit
    assert len({match.tag_id for match in matches}) == len(matches)
    assert [match.score for match in matches] == sorted((match.score for match in matches), reverse=True)
    for match in matches:
        tag = tags[match.tag_id]
        assert (match.name, match.status, match.uses) == (tag.name, tag.status, tag.uses)
        assert match.matched in (tag.name, *tag.aliases)
    active = TagIndex(entries).search(query, limit, include_deprecated=False)
    assert all(match.status == "active" for match in active)


@A_PROPERTY
@given(ENTRIES, ENTRIES, st.sets(st.integers(0, 30)), st.lists(WORDS, max_size=3))
def test_an_update_is_the_same_as_a_new_index(entries, changed, removed, queries):
    tags = {entry.tag_id: entry for entry in entries if entry.tag_id not in removed}
    tags |= {entry.tag_id: entry for entry in changed}
    fresh = TagIndex(tags.values(), 2)
    updated = TagIndex(entries, 1).updated(changed, removed, 2)
    assert (len(updated), updated.revision) == (len(fresh), 2)
    for query in ("", "xian", "dianying", "dy", "点影", "dianyign", *queries):
        assert updated.search(query, limit=50) == fresh.search(query, limit=50)
