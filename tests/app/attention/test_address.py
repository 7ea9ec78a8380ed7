"""The link that leads back to a view of attention, and the names of files."""

from urllib.parse import parse_qs, urlsplit

import pytest

from app.attention.address import Address, file_name, read_address, split_tags, write_link
from app.attention.weights import View


def test_tags_by_hand_are_split_at_commas_of_both_kinds():
    assert split_tags(" 跑步, 健身、 减肥，，跑步；A B \n") == ["跑步", "健身", "减肥", "A B"]


@pytest.mark.parametrize(
    "address",
    [
        Address(question=12, tags=("跑步", "C++ & <b>"), view=View("self", "head", 2, 3), model="v1", beside="v2"),
        Address(question=12, tags=("跑步",), view=View(hints=True)),
        Address(title="怎么? a=b&c", description="一\n二", tags=("x",), view=View("cross", "rollout"), model="v1"),
    ],
)
def test_a_link_leads_back_to_the_same_view(address):
    link = write_link("http://localhost/attention", address, "zh")
    query = {name: value for name, (value,) in parse_qs(urlsplit(link).query, keep_blank_values=True).items()}
    assert query.pop("lang") == "zh"
    assert read_address(query) == address


def test_a_question_of_the_store_is_named_by_its_number_only():
    link = write_link("/attention", Address(question=3, title="标题", tags=("a",)), "en")
    assert link == "/attention?question=3&tags=a&kind=cross&how=mean&lang=en"


def test_a_text_too_long_for_a_link_gets_none():
    assert write_link("/attention", Address(title="长" * 3000), "zh") is None


def test_nonsense_in_an_address_counts_as_not_given():
    assert read_address({"question": "-1", "kind": "x", "how": "<b>", "layer": "0", "head": "1e9"}) == Address()


def test_file_names_are_plain():
    assert file_name(7, View("cross", "head", 2, 1), "v 1/x") == "attention-7-cross-head-l2h1-v_1_x"
    assert file_name(None, View(), "v1") == "attention-typed-cross-mean-v1"
