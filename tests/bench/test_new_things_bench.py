"""bench/new_things.py: who names the new thing is counted by half, and the half kept aside is not shown."""

import json

from bench import new_things
from l2a.data.questions import read_questions

NEVER = "晶晶火锅"  # invented, and in no title: copying cannot write it


def test_names_are_counted_by_half_and_only_misses_to_tune_on_are_listed(
    tiny_model, tiny_tagger, samples_path, tmp_path, capsys
):
    question = next(read_questions(samples_path))
    (found,) = tiny_tagger.suggest([question], beam=4)
    named = found.kept[0].tag
    rows = [
        {"title": question.title, "description": question.description, "name": named.upper(), "half": "tune"},
        {"title": "新店好吃吗", "name": NEVER, "half": "tune"},
        {"title": "谁吃过", "name": NEVER},  # no half: kept aside
    ]
    path = tmp_path / "things.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    command = ["--model", str(tiny_model), "--file", str(path), "--beam", "4"]
    new_things.main(command)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "tune: 1 of 2 named, 1 among the tags it weighed"
    assert said[1].startswith(f"  {NEVER}: 新店好吃吗 -> ")
    assert said[2:] == ["kept: 0 of 1 named, 0 among the tags it weighed"]
    new_things.main([*command, "--show-kept"])
    assert f"  {NEVER}: 谁吃过 -> " in capsys.readouterr().out
