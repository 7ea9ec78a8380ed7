"""The speed comparison's own arithmetic; its peers need not be installed."""

from copy import deepcopy

import pytest

from bench import decode
from bench.decoders import Load, ours

TIMES = {
    "plain": 100.0,
    "fast float32": 60.0,
    "fast int8": 30.0,
    "Hugging Face": 120.0,
    "CTranslate2 float32": 50.0,
    "CTranslate2 int8": 75.0,
    "CTranslate2 int8, a thread a worker": 90.0,
}


def found(times=TIMES):
    spread = {name: {"middle": r, "lowest": r, "highest": r} for name, r in decode.ratios(times).items()}
    return {"repeats": 1, "batches": {"1": {"ms": times, "ratios": spread}}}


def test_ratios_are_against_the_better_of_ctranslate2():
    ratios = decode.ratios(TIMES)
    assert ratios["fast int8 / CTranslate2"] == pytest.approx(0.6)
    assert ratios["fast int8 / CTranslate2 int8"] == pytest.approx(0.4)
    assert ratios["fast float32 / Hugging Face"] == pytest.approx(0.5)


def test_a_ratio_may_get_a_fifth_worse_and_no_more():
    recorded = found()
    assert decode.worsened(found(TIMES | {"fast int8": 35.0}), recorded) == []
    complaints = decode.worsened(found(TIMES | {"fast int8": 37.0}), recorded)
    assert len(complaints) == 4
    assert complaints[1] == "batch 1, fast int8 / CTranslate2: 0.74, recorded 0.60"
    without = deepcopy(recorded) | {"batches": {}}
    assert "was not measured" in decode.worsened(without, recorded)[0]


def test_the_table_names_every_decoder():
    text = decode.table(found())
    assert all(f"| {name} |" in text for name in TIMES)
    assert "| fast int8 / CTranslate2 | 0.60 (0.60 to 0.60) |" in text


def test_our_decoders_take_all_the_steps(monkeypatch):
    load = Load(batch=2, beam=4, steps=5, source_words=3, vocabulary=300, width=16, heads=2, feed_forward=16, layers=1)
    lists = [build(load)() for build in (ours.plain, ours.fast_float32)]
    for found_lists in lists:
        assert [len(hypotheses) for hypotheses in found_lists] == [4, 4]
    assert [[h.symbols for h in hypotheses] for hypotheses in lists[0]] == [
        [h.symbols for h in hypotheses] for hypotheses in lists[1]
    ]


def test_rounds_take_turns():
    order = []

    def turn(name, *times):
        left = iter(times)
        return lambda: order.append(name) or next(left)

    found = decode.best_of({"a": turn("a", 1.0, 5.0, 4.0), "b": turn("b", 9.0, 7.0, 8.0)}, rounds=2)
    assert order == ["a", "b"] * 3
    assert found == {"a": 4.0, "b": 7.0}  # the first round does not count


def test_a_decoder_takes_its_turns_in_a_process_of_its_own(monkeypatch):
    monkeypatch.setattr(decode, "PAUSE", 0)
    load = Load(beam=2, steps=2, source_words=3, vocabulary=300, width=16, heads=2, feed_forward=16, layers=1)
    turn = decode.Alone("fast float32", load, "wall")
    assert turn() > 0
    assert turn() > 0
    turn.close()


def test_a_record_has_ratios_for_each_kind_of_processor(monkeypatch, tmp_path, capsys):
    path = tmp_path / "record.json"
    monkeypatch.setattr(decode, "compare", lambda args: found() | {"clock": args.clock})

    def call(kind, *arguments):
        monkeypatch.setattr(decode, "processor", lambda: kind)
        monkeypatch.setattr("sys.argv", ["decode.py", *arguments])
        return decode.main()

    assert call("AVX2", "--record", str(path)) == 0
    assert call("AVX2", "--check", str(path)) == 0
    with pytest.raises(SystemExit):
        call("AVX512", "--check", str(path))
    assert "no record of a processor with AVX512 (there is: AVX2)" in capsys.readouterr().err
    assert call("AVX512", "--record", str(path)) == 0
    assert set(decode.read_record(path)) == {"AVX2", "AVX512"}
    monkeypatch.setattr(decode, "compare", lambda args: found(TIMES | {"fast int8": 37.0}) | {"clock": args.clock})
    assert call("AVX512", "--check", str(path)) == 1
    assert "recorded 0.60" in capsys.readouterr().out


def test_the_record_in_the_repository_can_be_read():
    record = decode.read_record(decode.ROOT / "bench" / "decode_record.json")
    assert "AVX2" in record
    assert all(set(part["batches"]) == {"1", "8"} and part["clock"] == "cpu" for part in record.values())
