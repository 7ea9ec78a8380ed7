"""The speed measurements run and count right; how fast anything is depends on the machine and is not tested."""

import pytest

from bench import bulk, decode, engine, training_speed


def test_a_training_step_is_taken_apart():
    found = training_speed.measure("tiny", words=5, steps=2)
    assert sum(found["share"].values()) == pytest.approx(1, abs=0.01)
    assert list(found["share"]) == list(training_speed.PHASES)
    assert found["steps_a_second"]["best"] >= found["steps_a_second"]["middle"] > 0
    assert len(found["operators"]) == 8


def test_growth_is_drawn(tmp_path):
    found = {name: {str(size): float(size) for size in sizes} for name, sizes in decode.SCALES.items()}
    decode.draw_scaling(found, tmp_path / "scaling.png")
    assert (tmp_path / "scaling.png").read_bytes().startswith(b"\x89PNG")


def test_a_large_file_is_watched(tiny_model, samples_path, tmp_path):
    path = tmp_path / "questions.jsonl"
    lines = samples_path.read_text(encoding="utf-8").splitlines(keepends=True)[:30]
    path.write_text("".join(lines), encoding="utf-8")
    found = bulk.measure(path, ["--model", str(tiny_model), "--beam", "2", "--jobs", "1"])
    assert found["questions"] == 30
    assert found["peak_MB_last_quarter"] > 10
    assert found["questions_a_second"] == pytest.approx(30 / found["seconds"], abs=0.5)


def test_agreement_counts_the_tags_of_both_sides():
    assert engine._agreement([["a", "b"], []], [["b", "a"], []]) == 1.0
    assert engine._agreement([["a", "b"], ["c"]], [["a"], ["d"]]) == 0.4  # a on both sides, of 3 and 2 tags
    assert engine._agreement([[]], [[]]) == 1.0  # nothing to disagree about
