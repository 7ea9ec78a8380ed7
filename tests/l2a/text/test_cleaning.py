import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from l2a.text.cleaning import MAX_CHARACTERS, clean, is_word_like, join_question, match_key

# Any text, and text with much of what goes wrong: hanzi, full-width forms, marks that combine, invisible characters.
TRICKY = st.text(
    st.sampled_from(
        "中华人民共和国河北师范大学的ＡａßİǅΐﬁΣς\u0301\u0308\u0345\u200b\u200d\ufeff\u3000\x00\t\n |,.+#-1½😀"
    )
)
ANY_TEXT = st.text() | TRICKY


@settings(deadline=None, max_examples=500)
@given(ANY_TEXT)
@example("a \u200b b")  # what is removed must not leave two spaces behind
@example("\u200b a \u200b")
@example("e\u200b\u0301")  # nor two characters that compose
def test_match_key_of_a_match_key_is_itself(text):
    assert match_key(match_key(text)) == match_key(text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("ＮＢＡ", "nba"),
        ("n\u200bb\ufeffa\u200d", "nba"),
        ("  New\u3000 York\n", "new york"),
        ("Straße", "strasse"),
        ("谷歌（Google）", "谷歌(google)"),
        ("a\x00b\tc", "ab c"),
        ("C|C++", "c|c++"),
        ("\u200b", ""),
    ],
)
def test_match_key_folds_spelling(text, key):
    assert match_key(text) == key


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("看 https://example.com/a?b=1 怎么样", "看 怎么样"),
        ("看https://example.com/a这个视频", "看 这个视频"),
        ("在www.example.com上买", "在 上买"),
        ("HTTPS://EXAMPLE.COM 好", "好"),
        ("见https://example.com，iPhone好吗", "见 ,iPhone好吗"),  # a full-width comma ends the URL
        ("见https://example.com（Python 教程）", "见 (Python 教程)"),
        ("ｈｔｔｐ：／／example.com 好", "好"),
        ("https://example.com/only", ""),
        ("www 是什么", "www 是什么"),
    ],
)
def test_urls_are_removed_and_the_text_after_them_stays(text, cleaned):
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("开心😀吗", "开心😀吗"),
        ("一\x00二\x07三", "一二三"),
        ("一\t二\r\n三\u3000四", "一 二 三 四"),
        ("一\u200b \u200b二", "一 二"),
        ("半个\ud83d表情", "半个表情"),
        ("ＡＢＣ　１２３", "ABC 123"),
    ],
)
def test_clean_handles_emoji_control_characters_and_white_space(text, cleaned):
    assert clean(text) == cleaned


@settings(deadline=None)
@given(ANY_TEXT)
def test_clean_text_is_one_line_without_outer_spaces(text):
    cleaned = clean(text)
    assert cleaned == " ".join(cleaned.split())


def test_join_question_puts_title_and_description_together():
    assert join_question("标题") == ("标题", False)
    assert join_question(" 标题 ", "描述\n第二行") == ("标题 描述 第二行", False)


def test_join_question_cuts_a_very_long_question_and_says_so():
    text, was_cut = join_question("标题", "长" * 100_000)
    assert was_cut
    assert len(text) == MAX_CHARACTERS
    assert join_question("标" * MAX_CHARACTERS) == ("标" * MAX_CHARACTERS, False)


@pytest.mark.parametrize(
    ("word", "expected"), [("电影", True), ("C++", True), ("15", True), ("(", False), (" ", False), ("😀", False)]
)
def test_is_word_like_asks_for_a_letter_digit_or_hanzi(word, expected):
    assert is_word_like(word) is expected
