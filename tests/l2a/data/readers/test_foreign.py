"""Files of other tools: what would come out wrong or without its labels is refused by the tool's name.

`files` holds what the tools themselves wrote: label-studio-sdk 2.1.2 (its converter, from a project with two controls)
and argilla 2.8.0 (records, nested and flat). The others are written after the tools' own descriptions: Prodigy 1.x
(`db-out` of textcat.teach and textcat.manual), doccano 1.8.4 (exports), Annif 1.4.0 (document.json and corpus readers).
"""

import json
from pathlib import Path

import pytest

from l2a.data.questions import ReadReport, read_questions
from l2a.data.size_limits import Limits
from l2a.errors import InputError

FILES = Path(__file__).parent / "files"
HASHES = {"_input_hash": 1842734674, "_task_hash": -1262034487, "_timestamp": 1700000000, "_annotator_id": "chen"}
BINARY = {"text": "胃疼怎么办？", "label": "健康", "meta": {"score": 0.5}, **HASHES}
CHOICE = {
    "text": "胃疼怎么办？",
    "options": [{"id": "健康", "text": "健康"}, {"id": "旅行", "text": "旅行"}],
    "accept": ["健康"],
    "answer": "accept",
}
ANNIF_JSON = {
    "document_id": "d1",
    "text": "胃疼怎么办？",
    "metadata": {"title": "胃疼"},
    "subjects": [{"uri": "http://example.org/1", "label": "健康"}],
}


def lines(*rows) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def refusal(path, **options) -> str:
    with pytest.raises(InputError) as refused:
        list(read_questions(path, **options))
    return str(refused.value)


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize(
    ("name", "content", "tool"),
    [
        ("p.jsonl", lines({**BINARY, "answer": "reject"}), "Prodigy"),
        ("p.jsonl", lines({**BINARY, "answer": "ignore"}), "Prodigy"),
        ("p.jsonl", lines({**BINARY, "answer": "accept"}), "Prodigy"),  # the same text may come again, with "reject"
        ("p.jsonl", lines({"text": "a", "label": "b", "answer": "reject"}), "Prodigy"),
        ("p.jsonl", lines({"title": "a", "tags": ["b"], "answer": "reject"}), "Prodigy"),
        ("p.jsonl", lines(CHOICE), "Prodigy"),
        ("p.jsonl", lines({"text": "a", "accept": ["b"]}), "Prodigy"),
        ("p.csv", "text,label,answer\na,b,reject\n", "Prodigy"),
        ("p.csv", "title,tags,answer\na,b,accept\n", "Prodigy"),
        ("p.csv", "title,tags,answer\na,b,reject\n", "Prodigy"),
        ("p.csv", "Title,Tags,Answer\na,b, Ignore\n", "Prodigy"),
        ("p.csv", "title,tags,accept\na,b,\"['b', 'c']\"\n", "Prodigy"),
        ("p.csv", "text,options,accept,answer\na,[],[],accept\n", "Prodigy"),
        ("a.jsonl", lines({"text": "a", "annotation": ["b"], "annotation_agent": "chen", "status": "x"}), "Argilla"),
        ("a.jsonl", lines({"fields": {"text": "a"}, "responses": [], "suggestions": []}), "Argilla"),
        ("annif.jsonl", lines(ANNIF_JSON), "Annif"),
        ("annif.jsonl", lines({"text": "a", "subjects": [{"uri": "http://example.org/1"}]}), "Annif"),
        ("annif.tsv", "胃疼怎么办？\t<http://example.org/1> <http://example.org/2>\n", "Annif"),
        ("annif.txt", "胃疼怎么办？\t<http://example.org/1>\n", "Annif"),
        ("annif.csv", "document_id,title,text,subject_uris\nd1,胃疼,胃疼怎么办？,http://example.org/1\n", "Annif"),
        ("annif.csv", "text,subjects\n胃疼怎么办？,健康\n", "Annif"),
        ("d.csv", "id,text,label,Comments\n1,胃疼怎么办？,健康#医院,\n", "doccano"),
        ("d.json", json.dumps([{"id": 1, "text": "胃疼怎么办？", "label": ["健康"]}]), "doccano"),
        ("d.jsonl", lines({"id": 1, "text": "a", "cats": ["健康"], "entities": [], "Comments": []}), "doccano"),
        ("d.jsonl", lines({"id": 1, "text": "a", "entities": [{"id": 1, "label": "b"}], "relations": []}), "doccano"),
        ("l.json", json.dumps([{"data": {"text": "a"}, "completions": [{"result": []}]}]), "Label Studio before 1.0"),
        ("l.csv", "id,text,sentiment,annotator\n1,胃疼怎么办？,着急,1\n", "Label Studio"),
        ("l.csv", "title,tags,annotator,lead_time\n胃疼怎么办？,健康,1,2.5\n", "Label Studio"),
        ("l.tsv", "id\ttext\tsentiment\tannotator\n1\t胃疼怎么办？\t着急\t1\n", "Label Studio"),
        ("l.json", json.dumps([{"id": 1, "text": "a", "sentiment": "b", "annotator": 1}]), "Label Studio"),
        ("l.jsonl", lines({"id": 1, "text": "a", "sentiment": "b", "annotator": 1}), "Label Studio"),
        ("l.jsonl", lines({"id": 1, "text": "a", "label": "b", "annotation_id": 1, "lead_time": 2.5}), "Label Studio"),
        ("l.jsonl", lines({"id": 1, "text": "a", "label": "b", "annotator": 1, "lead_time": 2.5}), "Label Studio"),
        ("x.txt", '<?xml version="1.0"?>\n<a/>\n', "XML"),
        ("x.xml", '<?xml version="1.0"?>\n<a/>\n', "XML"),
    ],
)
def test_rows_of_other_tools_are_refused_whole_with_the_tools_name(write, name, content, tool, skip_bad):
    path = write(name, content)
    report = ReadReport()
    said = refusal(path, skip_bad=skip_bad, report=report)
    assert said.startswith(str(path))
    assert f"this looks like a file of {tool}, which cannot be read as it is. " in said
    assert report.good == 0


def as_parquet(path: Path, **columns) -> Path:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(columns), path)
    return path


@pytest.mark.parametrize(
    ("columns", "tool", "row"),
    [
        ({"title": ["a"], "tags": [["b"]], "answer": ["accept"]}, "Prodigy", 1),
        ({"title": ["a"], "tags": ["b"], "answer": ["reject"]}, "Prodigy", 1),
        ({"title": ["a", "a"], "tags": ["b", "b"], "Answer": [None, "ignore"]}, "Prodigy", 2),
        ({"title": ["a"], "accept": [["b"]]}, "Prodigy", 0),
        ({"title": ["a"], "fields": [{"text": "a"}]}, "Argilla", 0),
        ({"text": ["a"], "subjects": [[{"uri": "http://example.org/1", "label": "b"}]]}, "Annif", 0),
        ({"title": ["a"], "subjects": [[{"uri": "http://example.org/1", "label": "b"}]]}, "Annif", 0),
        ({"document_id": ["d1"], "title": ["a"], "subjects": [["b"]]}, "Annif", 0),
        ({"text": ["a"], "subjects": [["b"]]}, "Annif", 0),
        ({"id": [1], "text": ["a"], "sentiment": ["b"], "annotator": [1]}, "Label Studio", 0),
        ({"text": ["a"], "cats": [["b"]]}, "doccano", 0),
    ],
)
def test_tables_of_other_tools_are_refused_as_parquet_too(tmp_path, columns, tool, row):
    path = as_parquet(tmp_path / "q.parquet", **columns)
    report = ReadReport()
    said = refusal(path, skip_bad=True, report=report)
    where = f"{path}, row {row}" if row else str(path)
    assert said.startswith(f"{where}: this looks like a file of {tool}, which cannot be read as it is. ")
    assert report.good == max(row - 1, 0)


def test_a_row_with_a_label_that_says_who_gave_it_is_read(write):
    path = write("d.jsonl", lines({"id": 1, "text": "胃疼怎么办？", "label": ["健康"], "annotator": "chen"}))
    assert [question.tags for question in read_questions(path)] == [("健康",)]


def test_answers_that_are_no_verdicts_are_left_alone(write, tmp_path):
    """Many files of questions have their answers, too."""
    long = "先看医生。" * 300_000
    tables = [
        write("q.csv", "title,tags,answer\n胃疼怎么办？,健康,accept it\n"),
        write("q.jsonl", lines({"title": "胃疼怎么办？", "tags": ["健康"], "answer": "看医生"})),
        as_parquet(tmp_path / "q.parquet", title=["胃疼怎么办？"], tags=["健康"], answer=["看医生"]),
        as_parquet(tmp_path / "long.parquet", title=["胃疼怎么办？"], tags=["健康"], answer=[long]),
        as_parquet(tmp_path / "numbers.parquet", title=["胃疼怎么办？"], tags=["健康"], answer=[3]),
    ]
    for path in tables:
        limits = Limits(line=1 << 20, unpacked=1 << 20)
        assert [question.tags for question in read_questions(path, limits=limits)] == [("健康",)]


@pytest.mark.parametrize(
    ("name", "tool", "way"),
    [
        ("label_studio.csv", "Label Studio", "Export it from Label Studio again, as JSON"),
        ("label_studio.tsv", "Label Studio", "Export it from Label Studio again, as JSON"),
        ("label_studio_min.json", "Label Studio", "Export it from Label Studio again, as JSON"),
        ("argilla.json", "Argilla", 'Write one JSON object a line instead, with "title" and'),
        ("argilla_flat.jsonl", "Argilla", 'Write one JSON object a line instead, with "title" and'),
        ("argilla_flat.csv", "Argilla", 'Write one JSON object a line instead, with "title" and'),
    ],
)
def test_files_that_the_tools_wrote_are_refused(name, tool, way):
    said = refusal(FILES / name, skip_bad=True)
    assert f"this looks like a file of {tool}, which" in said
    assert way in said


def test_a_full_text_of_annif_is_known_by_the_file_beside_it(write, tmp_path):
    path = write("d1.txt", "胃疼怎么办？\n第二行\n")
    (tmp_path / "d1.key").write_text("健康\n", encoding="utf-8")
    assert "this looks like a file of Annif" in refusal(path)
    (tmp_path / "d1.key").unlink()
    (tmp_path / "d1.tsv").write_text("<http://example.org/1>\t健康\n", encoding="utf-8")
    assert "this looks like a file of Annif" in refusal(path)
    (tmp_path / "d1.tsv").write_text("title\ttags\n", encoding="utf-8")
    assert [question.title for question in read_questions(path)] == ["胃疼怎么办？", "第二行"]


# --- two controls of Label Studio ------------------------------------------------------------------------------------


def task(**choices):
    result = [{"type": "choices", "from_name": name, "value": {"choices": [tag]}} for name, tag in choices.items()]
    return {"id": 1, "data": {"title": "胃疼怎么办？"}, "annotations": [{"result": result}]}


def test_choices_of_two_controls_are_not_made_one_list():
    said = refusal(FILES / "label_studio_two_controls.json", skip_bad=True)
    assert "task 1: the choices come from several controls of Label Studio (mood, topic)" in said
    assert 'Write tags as "from_name" of the results that are to be read' in said


@pytest.mark.parametrize(
    ("tasks", "task_said"),
    [
        ([task(topic="健康"), task(mood="着急")], 2),  # the one that is left empty in a task
        ([task(mood="着急"), task(tags="健康")], 2),
        ([task(mood="着急", topic="健康")], 1),
    ],
)
def test_controls_are_known_for_the_whole_file(write, tasks, task_said):
    assert f"task {task_said}: the choices come from several controls" in refusal(write("l.json", json.dumps(tasks)))


def test_a_task_without_the_control_called_tags_has_no_tags(write):
    path = write("l.json", json.dumps([task(mood="着急", tags="健康"), task(mood="平静"), task(tags="医院")]))
    assert [question.tags for question in read_questions(path)] == [("健康",), (), ("医院",)]


# --- fields that are not read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "fields"),
    [
        ("q.jsonl", lines({"title": "一", "labels": ["a"]}, {"title": "二", "labels": ["b"]}), ["labels"]),
        ("q.jsonl", lines({"title": "一", "text": "一", "label": ["a"], "Category": "b"}), ["Category", "label"]),
        ("q.jsonl", lines({"title": "一", "标签": ["a"]}), ["标签"]),
        ("q.jsonl", lines({"title": "一", "labels": []}), []),
        ("q.jsonl", lines({"text": "一", "label": ["a"]}), []),
        ("q.csv", "title,Keywords\n一,a\n", ["keywords"]),
        ("q.csv", "title,tag_names,tag_ids\n一,a,7\n", []),
        ("q.json", json.dumps([{"data": {"title": "一", "category": "a"}}]), ["category"]),
        ("q.json", json.dumps([{"data": {"title": "一"}, "predictions": [{"result": [{}]}]}]), ["predictions"]),
    ],
)
def test_a_field_that_looks_like_labels_and_is_not_read_is_named_once(write, name, content, fields):
    path = write(name, content)
    report = ReadReport()
    list(read_questions(path, report=report))
    assert list(map(str, report.notes)) == [
        f'{path}: "{field}" looks like labels and is not read. If it holds the tags, call it "tags".'
        for field in fields
    ]
