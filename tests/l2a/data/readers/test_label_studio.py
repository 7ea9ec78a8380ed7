import json
import subprocess
import sys
import tracemalloc
from itertools import chain, repeat

import pytest

from l2a.data.questions import Question, ReadReport, read_questions
from l2a.data.readers.label_studio import label_studio_rows
from l2a.data.readers.source import Source
from l2a.errors import InputError


def choices(*tags, name="choice"):
    return {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": list(tags)}}


def annotated(*results, **more):
    return {"id": 1, "result": list(results), "was_cancelled": False, "completed_by": 1, **more}


def task(*annotations, **data):
    return {"id": 7, "data": data or {"text": "问题"}, "annotations": list(annotations), "predictions": [{}]}


def read(path, **options):
    return list(read_questions(path, **options))


@pytest.mark.parametrize("layout", [{}, {"indent": 2}])
def test_a_usual_export_is_read_however_it_is_laid_out(write, layout):
    tasks = [
        task(annotated(choices("编程", "自学")), text="怎么学编程"),
        task(annotated(choices("a")), title="标题", description="描述", text="x", external_id="q2", source="网站"),
        task(title="没有标注"),
    ]
    questions = read(write("a.json", json.dumps(tasks, **layout)))
    assert questions == [
        Question("怎么学编程", "", ("编程", "自学"), "7"),
        Question("标题", "描述", ("a",), "q2", "网站"),
        Question("没有标注", "", (), "7"),
    ]
    assert [question.line for question in questions] == [1, 2, 3]


@pytest.mark.parametrize(
    ("annotations", "tags"),
    [
        ([annotated(choices("a", "b")), annotated(choices("b", "c"))], ("a", "b", "c")),
        ([annotated(choices("a"), was_cancelled=True), annotated(choices("b"))], ("b",)),
        ([annotated(choices("a")), annotated(choices("b"), ground_truth=True)], ("b",)),
        ([annotated(choices("好", name="mood"), choices("a", name="tags"))], ("a",)),
        ([annotated(choices("a"), {"type": "rating", "value": {"rating": 5}})], ("a",)),
        ([annotated()], ()),
    ],
)
def test_which_annotations_count(write, annotations, tags):
    assert read(write("a.json", json.dumps([task(*annotations)])))[0].tags == tags


@pytest.mark.parametrize(
    ("bad_task", "reason"),
    [
        ({"id": 1, "text": "x"}, 'the task has no "data", so this is not Label Studio'),
        (task(image="a.jpg", n=1), '"data" has neither "title" nor "text"; it has 2 of other names'),
        (task(annotated({"type": "taxonomy", "value": {"taxonomy": [["a"]]}})), "results of type taxonomy"),
        (task(annotated({"type": "choices", "value": {"choices": [1]}})), '"choices" must be a list of strings'),
        (task(annotated({"type": "choices", "value": "a"})), '"choices" must be a list of strings'),
        ({"data": {"text": "x"}, "annotations": {"a": 1}}, '"annotations" must be a list of objects'),
        (task(annotated("a")), '"result" must be a list of objects'),
        (task(text=""), "the title is empty"),
        ("问题", "a JSON object is expected, not str"),
        ([[]], "a JSON object is expected, not list"),
    ],
)
def test_a_task_of_another_shape_is_refused_by_number_and_can_be_skipped(write, bad_task, reason):
    path = write("a.json", json.dumps([task(), bad_task, task()]))
    with pytest.raises(InputError, match=rf"a\.json, task 2: {reason}.*Correct the task, or pass --skip-bad"):
        read(path)
    report = ReadReport()
    assert [question.line for question in read(path, skip_bad=True, report=report)] == [1, 3]
    assert (report.good, report.bad) == (2, 1)


@pytest.mark.parametrize("skip_bad", [False, True])
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text[:-1], "after task 2: the file ends early. Copy it, or export it from Label Studio, again."),
        (lambda text: text[:-9], "after task 1: the file ends early."),
        (lambda text: text + "x", "after task 2: not valid JSON (parse error: trailing garbage)"),
        (lambda text: text.replace("}, {", "} {"), "after task 1: not valid JSON (parse error"),
    ],
)
def test_a_file_that_ends_early_or_is_broken_is_refused_after_what_was_good(write, change, reason, skip_bad):
    report = ReadReport()
    with pytest.raises(InputError) as refused:
        read(write("a.json", change(json.dumps([task(), task()]))), skip_bad=skip_bad, report=report)
    assert f"a.json, {reason}" in str(refused.value)
    assert report.good == int(reason[len("after task ")])


def test_a_file_that_is_no_array_is_refused(write):
    with pytest.raises(InputError, match=r"a\.json: a Label Studio file is a JSON array, which starts with \["):
        read(write("a.json", json.dumps(task())), fmt="label-studio")


def test_an_empty_array_and_an_empty_file_hold_no_questions(write):
    assert read(write("a.json", "[ ]")) == []
    assert read(write("a.json", ""), fmt="label-studio") == []


def test_very_deep_nesting_is_refused_before_it_takes_all_memory(write):
    with pytest.raises(InputError, match="nested deeper than 50 levels"):
        read(write("a.json", "[" * 500_000))


def test_gzip_and_pipes_work_and_a_damaged_gzip_is_refused(write, tmp_path):
    content = json.dumps([task(annotated(choices("a")))])
    path = write("a.json.gz", content)
    assert read(path)[0].tags == ("a",)
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(InputError, match="gzip data is damaged or cut off"):
        read(path)
    program = "from l2a.data.questions import read_questions; print([q.tags for q in read_questions('-')])"
    done = subprocess.run([sys.executable, "-c", program], input=content.encode(), capture_output=True, check=True)
    assert done.stdout.strip() == b"[('a',)]"


def test_memory_stays_flat_however_long_the_array_is():
    one = json.dumps(task(annotated(choices("a")), text="长" * 5000)).encode()

    class Tasks:
        """A file with an array of `count` tasks that never exists as a whole."""

        def __init__(self, count):
            self.parts = chain([b"[" + one], repeat(b"," + one, count - 1), [b"]"])

        def read(self, _):
            return next(self.parts, b"")

    def peak(count):
        source = Source("a", "a", Tasks(count), b"[")
        tracemalloc.start()
        assert sum(1 for _ in label_studio_rows(source, None)) == count
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    assert peak(600) < peak(60) + 300_000  # the 540 tasks more are 16 MB of JSON
