"""`evaluate`, `stats` and `explain` on the command line."""

import json
import re

import numpy as np
import pytest

from l2a.measure.evaluation import evaluate


def test_evaluation_is_json_with_the_voted_score(call, tiny_model, tiny_tagger, ten_path, ten):
    code, out, err = call("evaluate", "--model", tiny_model, "--quiet", ten_path)
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["questions"] == 10
    assert found["voted"]["f1"] == pytest.approx(evaluate(tiny_tagger, ten, quiet=True).voted.f1)
    assert found["voted"]["f1"] > 0.3  # the model has learned these very questions
    assert found["model_version"] == tiny_tagger.version
    assert found["bad_lines"] == 0
    assert "best_threshold" not in found  # it looks at the answers: only where asked for, on a dev set
    assert "best_threshold" in json.loads(
        call("evaluate", "--model", tiny_model, "--quiet", "--best-threshold", ten_path)[1]
    )


def test_evaluation_counts_bad_lines_and_reads_the_lexicon(call, tiny_model, write_file, ten):
    rows = [{"id": q.id, "title": q.title, "tags": list(q.tags)} for q in ten]
    path = write_file(*rows, "{", {"title": "没有标签"})
    lexicon = write_file("tag,count", *(f"{n},1" for n in "甲乙"), name="lexicon.csv")
    code, out, err = call("evaluate", "--model", tiny_model, "--quiet", "--skip-bad", "--lexicon", lexicon, path)
    found = json.loads(out)
    assert (code, found["questions"], found["bad_lines"]) == (0, 10, 1)
    assert err.startswith("1 bad lines left out:\n")


def test_evaluation_without_tags_is_refused(refusal, tiny_model, write_file):
    path = write_file({"title": "没有标签"})
    message = refusal("evaluate", "--model", tiny_model, "--quiet", path)
    assert message == f"{path}: no question with tags, so there is nothing to compare with."


def test_stats_are_a_table(call, ten_path):
    code, out, _ = call("stats", ten_path, "--top", 3)
    lines = out.splitlines()
    assert code == 0
    assert re.fullmatch(r"rows +10", lines[0])
    assert lines[-4].split() == ["rank", "count", "tag"]
    assert [line.split()[0] for line in lines[-3:]] == ["1", "2", "3"]


def test_stats_are_json_when_asked(call, ten_path, ten):
    code, out, _ = call("stats", ten_path, ten_path, "--json")
    found = json.loads(out)
    assert (code, found["rows"], found["reachable"]) == (0, 20, None)
    assert found["tags"] == 2 * sum(len(q.tags) for q in ten)


def test_stats_with_a_model_count_the_tags_it_could_write(call, tiny_model, write_file):
    rows = [
        {"id": "known", "title": "怎么学编程？", "tags": ["编程", "Python"]},
        {"id": "copied", "title": "魑魅魍魉是什么？", "tags": ["魑魅魍魉"]},
        {"id": "never", "title": "这是什么？", "tags": ["饕餮盛宴"]},
    ]
    path = write_file(*rows, "{")
    code, out, err = call("stats", path, "--json", "--model", tiny_model, "--skip-bad")
    assert code == 0
    assert json.loads(out)["reachable"] == {
        "tags": 4, "by_words": 2, "by_copying": 3, "new_tags": 2, "new_by_words": 0, "new_by_copying": 1
    }  # fmt: skip
    assert "1 bad lines left out:" in err  # the file is read twice, its lines are counted once
    assert err.count("line 4") == 1
    seen = write_file({"title": "x", "tags": ["编程", "魑魅魍魉"]}, name="seen.jsonl")
    _, out, _ = call("stats", path, "--model", tiny_model, "--skip-bad", "--seen", seen)
    assert re.search(r"^question-tag pairs +4 +2$", out, flags=re.MULTILINE)


@pytest.mark.parametrize("summary", ["mean", "rollout"])
def test_explanation_has_rows_that_sum_to_one(call, tiny_model, summary):
    title = "零基础自学 Python，三个月能达到什么水平？"
    code, out, err = call(
        "explain", "--model", tiny_model, "--title", title, "--tags", "Python", "自学", "--summary", summary
    )
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert [tag["tag"] for tag in found["tags"]] == ["Python", "自学"]
    assert found["output_words"] == ["Python", "|", "自学", "|", "</s>"]
    words, steps = len(found["source_words"]), len(found["output_words"])
    cross, own = np.array(found["cross_attention"]), np.array(found["self_attention"])
    assert (cross.shape, own.shape) == ((steps, words), (steps, steps))
    totals = [cross.sum(axis=1), own.sum(axis=1)] if summary == "mean" else [cross.sum(axis=1) + own.sum(axis=1)]
    for total in totals:
        np.testing.assert_allclose(total, 1.0, atol=(words + steps) * 5e-5)  # each rounded to four digits
    for tag in found["tags"]:
        assert len(tag["attention"]) == len(tag["occlusion"]) == words
        assert tag["log_probability"] < 0


def test_kept_tags_are_explained_when_none_is_named(call, tiny_model, tiny_tagger, ten):
    _, out, _ = call("explain", "--model", tiny_model, "--title", ten[0].title, "--description", ten[0].description)
    (answer,) = tiny_tagger.suggest(ten[:1])
    assert [tag["tag"] for tag in json.loads(out)["tags"]] == [s.tag for s in answer.kept]


def test_every_layer_and_head_is_saved_when_asked(call, tiny_model, tiny_tagger, tmp_path):
    path = tmp_path / "attention.npz"
    _, out, _ = call("explain", "--model", tiny_model, "--title", "怎么学 Python？", "--tags", "Python", "--npz", path)
    found = json.loads(out)
    config = tiny_tagger.config
    with np.load(path, allow_pickle=False) as archive:
        steps, words = len(found["output_words"]), len(found["source_words"])
        assert archive["cross"].shape == (config.decoder_layers, config.heads, steps, words)
        assert archive["self"].shape == (config.decoder_layers, config.heads, steps, steps)
        assert archive["log_probabilities"].shape == (steps,)
        assert archive["source_words"].tolist() == found["source_words"]
        assert archive["output_words"].tolist() == found["output_words"]
        mean = archive["cross"].mean(axis=(0, 1))
    np.testing.assert_allclose(found["cross_attention"], mean, atol=1e-4)


def test_attention_that_cannot_be_saved_is_refused(refusal, tiny_model, tmp_path):
    path = tmp_path / "none" / "attention.npz"
    message = refusal("explain", "--model", tiny_model, "--title", "学编程", "--tags", "编程", "--npz", path)
    assert str(path) in message
    assert message.endswith("Check the path, and that you may read and write there.")


def test_tag_the_model_cannot_write_is_refused(refusal, tiny_model):
    message = refusal("explain", "--model", tiny_model, "--title", "学编程", "--tags", "饕餮盛宴")
    assert message.startswith("The model cannot write the tag '饕餮盛宴'")
