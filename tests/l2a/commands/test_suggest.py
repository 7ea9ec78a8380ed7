"""`python -m l2a suggest`: lines in, lines out, and every kind of bad input."""

import json
import os
import shutil
import sys
from dataclasses import replace

import pytest

from l2a.checkpoint import CONFIG, WEIGHTS, save_tagger
from l2a.commands import suggest as suggest_command
from l2a.config import VoteSettings
from l2a.evidence.collection import Evidence
from tests.l2a.commands.conftest import KEYS
from tests.l2a.ranking.priors import prior_of


def test_suggestions_are_one_line_a_question_in_the_order_of_the_input(suggest, ten_path, ten, tiny_tagger):
    lines, err = suggest(ten_path, "--decoder", "float32")
    assert err == ""
    assert [line["id"] for line in lines] == [question.id for question in ten]
    for line, answer in zip(lines, tiny_tagger.suggest(ten), strict=True):
        assert list(line) == ["id", "suggestions", *(["notes"] if answer.notes else [])]
        assert [list(suggestion) for suggestion in line["suggestions"]] == [KEYS] * len(answer.kept)
        for written, suggestion in zip(line["suggestions"], answer.kept, strict=True):
            assert written["tag"] == suggestion.tag
            assert written["votes"] == suggestion.votes
            assert written["share"] == round(suggestion.votes / 8, 4)
            assert written["probability"] == pytest.approx(suggestion.probability, abs=1e-5)
            assert written["is_new"] == suggestion.is_new
            assert written["cues"] == list(suggestion.cues)
            assert (written["chance"], written["evidence"]) == (None, [])  # this model orders tags by votes


def test_chance_and_evidence_are_written_where_the_model_has_a_ranker(call, tiny_tagger, ten, ten_path, tmp_path):
    evidence = Evidence.build(ten, ["Python"], tiny_tagger.codec.segmenter)
    prior = prior_of({"model.standing": 6.0}, constant=-3.0)
    ranked = replace(tiny_tagger, evidence=evidence, votes=VoteSettings({"named": 1.0, "near": 1.0}), prior=prior)
    save_tagger(ranked, tmp_path / "ranked")

    def suggest(*arguments):
        code, out, err = call("suggest", "--model", tmp_path / "ranked", "--decoder", "float32", "--quiet", *arguments)
        assert (code, err) == (0, "")
        return [json.loads(line)["suggestions"] for line in out.splitlines()]

    for line, answer in zip(suggest(ten_path), ranked.suggest(ten), strict=True):
        assert [list(written) for written in line] == [KEYS] * len(answer.kept)
        for written, suggestion in zip(line, answer.kept, strict=True):
            assert (written["tag"], written["votes"]) == (suggestion.tag, suggestion.votes)
            assert written["chance"] == round(suggestion.chance, 4) > 0.3
            assert written["evidence"] == [
                {"source": found.source, "text": str(found.text), "probability": round(found.probability, 4)}
                for found in suggestion.findings
            ]
    every = suggest(ten_path, "--all")
    assert {"near", "named"} <= {found["source"] for line in every for tag in line for found in tag["evidence"]}
    assert any(tag["votes"] == 0 and tag["chance"] > 0 for line in every for tag in line)
    voted = suggest(ten_path, "--threshold", 0.25)
    assert {tag["chance"] for line in voted for tag in line} == {None}


def test_order_of_the_output_is_that_of_the_input_whatever_the_lengths(suggest, write_file):
    rows = [{"id": str(n), "title": "怎么学编程？" * (1 + n * 7 % 5)} for n in range(23)]
    lines, _ = suggest(write_file(*rows), "--beam", 1, "--batch", 2)
    assert [line["id"] for line in lines] == [str(n) for n in range(23)]


def test_question_without_an_id_gets_its_line_number(suggest, write_file):
    lines, _ = suggest(write_file({"title": "怎么学编程？"}, "", {"title": "怎么跑步？"}))
    assert [line["id"] for line in lines] == ["1", "3"]


def test_standard_input_is_read_when_no_file_is_named(suggest, ten_path, monkeypatch):
    wanted, _ = suggest(ten_path)
    for arguments in ([], ["-"]):
        with open(ten_path, encoding="utf-8") as stream, monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", stream)
            assert suggest(*arguments)[0] == wanted


def test_gzip_and_csv_give_the_same_suggestions(suggest, ten_path, ten, write_file):
    wanted, _ = suggest(ten_path)
    packed = write_file(*ten_path.read_text(encoding="utf-8").splitlines(), name="questions.jsonl.gz")
    assert suggest(packed)[0] == wanted
    cells = ['"' + '","'.join((q.id, q.title, q.description, "|".join(q.tags))) + '"' for q in ten]
    assert suggest(write_file("id,title,description,tags", *cells, name="questions.csv"))[0] == wanted


def test_no_more_than_five_tags_unless_all_are_asked_for(suggest, ten_path):
    kept, _ = suggest(ten_path, "--threshold", 0)
    every, _ = suggest(ten_path, "--threshold", 0, "--all")
    assert max(len(line["suggestions"]) for line in kept) == 5
    for some, everything in zip(kept, every, strict=True):
        assert some["suggestions"] == everything["suggestions"][:5]
    assert max(len(line["suggestions"]) for line in every) > 5


def test_beam_and_threshold_are_obeyed(suggest, ten_path):
    lines, _ = suggest(ten_path, "--beam", 4, "--threshold", 0.5)
    suggestions = [suggestion for line in lines for suggestion in line["suggestions"]]
    assert suggestions
    for suggestion in suggestions:
        assert suggestion["votes"] in (3, 4)
        assert suggestion["share"] == suggestion["votes"] / 4


def test_tags_can_be_banned_demanded_and_confined_to_a_list(suggest, write_file):
    path = write_file({"title": "零基础自学 Python，三个月能达到什么水平？"})
    (plain,), _ = suggest(path, "--all")
    assert "Python" in [s["tag"] for s in plain["suggestions"]]
    (banned,), _ = suggest(path, "--all", "--ban", "Python", "--ban", "编程")
    assert not {"Python", "编程"} & {s["tag"] for s in banned["suggestions"]}
    (begun,), _ = suggest(path, "--all", "--first", "健康")
    assert begun["suggestions"][0]["tag"] == "健康"
    (confined,), _ = suggest(path, "--all", "--known-tags", write_file("健康", "自学", name="known.txt"))
    assert {s["tag"] for s in confined["suggestions"]} <= {"健康", "自学"}


def test_what_was_left_out_of_a_question_is_said_with_it(suggest, write_file):
    lines, _ = suggest(write_file({"id": "long", "title": "学编程" * 100}, {"id": "short", "title": "学编程"}))
    assert lines[0]["notes"] == ["the model read the first 40 of 200 words"]
    assert list(lines[1]) == ["id", "suggestions"]


def test_bad_lines_are_skipped_and_counted_when_asked(suggest, write_file):
    path = write_file(
        {"id": "a", "title": "怎么学编程？"}, "{broken", {"id": "b", "title": " "}, {"id": "c", "title": "跑步"}
    )
    lines, err = suggest(path, "--skip-bad")
    assert [line["id"] for line in lines] == ["a", "c"]
    said = err.splitlines()
    assert said[0] == "2 bad lines left out:"
    assert said[1].startswith(f"  {path}, line 2: not valid JSON")
    assert said[2] == f"  {path}, line 3: the title is empty"


def test_empty_file_gives_no_lines(suggest, write_file):
    assert suggest(write_file()) == ([], "")


def test_broken_line_is_refused_with_its_number(refusal, tiny_model, write_file):
    path = write_file({"title": "怎么学编程？"}, '{"title": "怎么')
    message = refusal("suggest", "--model", tiny_model, "--quiet", path)
    assert message.startswith(f"{path}, line 2: not valid JSON")
    assert message.endswith("Correct the line, or pass --skip-bad to leave such lines out.")


def test_file_that_is_not_utf_8_is_refused(refusal, tiny_model, write_file):
    path = write_file('{"title": "怎么学编程？"}', encoding="gbk")
    assert f"{path}, line 1: not UTF-8 (byte 0xd4 at column 12)" in refusal(
        "suggest", "--model", tiny_model, "--quiet", path
    )


def test_csv_without_the_columns_is_refused(refusal, tiny_model, write_file):
    path = write_file("number,text", "1,怎么学编程？", name="questions.csv")
    message = refusal("suggest", "--model", tiny_model, "--quiet", path)
    assert "line 1: the header has no column id and no column title; it has number, text. Expected: id,title" in message


@pytest.mark.parametrize("command", ["suggest", "evaluate"])
def test_missing_file_is_refused(refusal, tiny_model, tmp_path, command):
    message = refusal(command, "--model", tiny_model, "--quiet", tmp_path / "none.jsonl")
    assert message.startswith(f"{tmp_path / 'none.jsonl'}: no such file. Give the path of a file of questions (JSONL,")


def test_missing_model_is_refused(refusal, ten_path, tmp_path):
    message = refusal("suggest", "--model", tmp_path / "none", ten_path)
    assert message.startswith(f"{tmp_path / 'none'}: no such model folder. Give the path of a folder written by")


def test_cut_off_model_is_refused(refusal, tiny_model, ten_path, tmp_path):
    folder = shutil.copytree(tiny_model, tmp_path / "cut")
    os.truncate(folder / WEIGHTS, 5000)
    message = refusal("suggest", "--model", folder, ten_path)
    assert message.startswith(f"{folder}: model.safetensors is damaged or cut off")
    assert message.endswith("Copy the folder again.")


@pytest.mark.parametrize("content", ['{"model_type": "bert"}', "[1]"])
def test_model_of_another_kind_is_refused(refusal, ten_path, tmp_path, content):
    (tmp_path / "bert").mkdir()
    (tmp_path / "bert" / CONFIG).write_text(content)
    message = refusal("suggest", "--model", tmp_path / "bert", ten_path)
    assert message.startswith(f"{tmp_path / 'bert'}: config.json is not that of an L2A model.")


@pytest.mark.parametrize("command", ["suggest", "evaluate"])
@pytest.mark.parametrize(
    ("option", "value", "complaint"),
    [
        ("--beam", 0, "beam is 0; it must be a whole number from 1 to 64."),
        ("--beam", 65, "beam is 65; it must be a whole number from 1 to 64."),
        ("--threshold", 1.5, "threshold is 1.5; it must be a number from 0.0 to 1.0."),
        ("--threshold", "nan", "threshold is nan; it must be a number from 0.0 to 1.0."),
        ("--batch", 0, "batch_size is 0; it must be at least 1."),
        ("--threads", 0, "threads is 0; it must be at least 1."),
    ],
)
def test_option_out_of_range_is_refused(refusal, tiny_model, ten_path, command, option, value, complaint):
    assert refusal(command, "--model", tiny_model, "--quiet", option, value, ten_path) == complaint


def test_interruption_is_said_in_one_line(call, monkeypatch, ten_path):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(suggest_command, "load_model", interrupt)
    assert call("suggest", ten_path) == (130, "", "l2a: interrupted\n")
