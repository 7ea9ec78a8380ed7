"""`import`: what is stored, what is said, and what happens to input that is no good."""

import gzip

import pytest
from sqlalchemy import func, select

from app.transfer.importer import fingerprint
from db.store.tables import Import, PriorLabel, Question, QueueItem
from tests.app.commands.conftest import QUESTIONS


def stored(store):
    """Title -> (source, id, prior tags) of every question."""
    with store.read() as session:
        prior = {}
        for question, text in session.execute(
            select(PriorLabel.question_id, PriorLabel.text).order_by(PriorLabel.place)
        ):
            prior.setdefault(question, []).append(text)
        return {q.title: (q.source, q.external_id, prior.get(q.id, [])) for q in session.scalars(select(Question))}


def many(number, first=1):
    return [{"title": f"第{n}个问题怎么回答？"} for n in range(first, first + number)]


def test_questions_are_stored_with_their_tags_and_a_second_time_adds_nothing(answer, store, write_file):
    file = write_file(*QUESTIONS)
    assert answer("import", file) == f"{file}: 4 added, 0 duplicates, 0 bad; 5 prior labels\n"
    assert stored(store)["零基础学编程从哪里开始？"] == ("zhihu", "a1", ["编程", "自学"])
    assert answer("import", file) == f"{file}: 0 added, 4 duplicates, 0 bad; 0 prior labels\n"


def test_a_dry_run_stores_nothing(answer, store, write_file):
    file = write_file(*QUESTIONS)
    assert answer("import", file, "--dry-run") == (
        "  line 1: 零基础学编程从哪里开始？ [编程] [自学]\n"
        "  line 2: 跑步伤膝盖吗？ [跑步]\n"
        "  line 3: 量子力学怎么入门？\n"
        "  line 4: 有什么好看的电影？ [电影] [生活]\n"
        f"{file}: 4 would be added, 0 duplicates, 0 bad; 5 prior labels\n"
    )
    assert stored(store) == {}


def test_a_dry_run_shows_the_first_rows_on_a_line_each(answer, write_file):
    file = write_file({"title": "长" * 100, "tags": ["a\x1b[31mb"]}, *many(20))
    lines = answer("import", file, "--dry-run").splitlines()
    assert lines[0] == f"  line 1: {'长' * 59}… [a�[31mb]"
    assert len(lines) == 5 + 1


def test_a_dry_run_that_meets_a_bad_line_says_so_once(call, write_file):
    file = write_file({"title": "甲？"}, "{not json")
    _, out, err = call("import", file, "--dry-run")
    assert out == ""
    assert err.endswith(
        "Nothing was stored, this is a dry run. Correct the line and run it again, or pass --skip-bad to leave such "
        "lines out.\n"
    )


@pytest.mark.usefixtures("filled")
def test_an_export_that_was_edited_elsewhere_is_not_dropped_in_silence(answer, decide, tmp_path, store):
    number = decide(1, "li", "编程") + 1  # of the decision that the import makes
    file = tmp_path / "labels.jsonl"
    answer("export", file)
    assert answer("import", file) == f"{file}: 0 added, 1 duplicates, 0 bad; 0 prior labels\n"
    file.write_text(file.read_text(encoding="utf-8").replace('"tags": ["编程"]', '"tags": ["自学"]'), encoding="utf-8")
    found = (
        f"{file}: 0 added, 1 duplicates, 0 bad; 0 prior labels\n  1 of the duplicates carry other labels than the store"
    )
    assert answer("import", file) == (
        f"{found}, which stays as it is; pass --as NAME to record them as that person's decisions\n"
    )
    assert "they would become li's decisions\n" in answer("import", file, "--as", "li", "--dry-run")
    assert answer("import", file, "--as", "li") == (
        f"{found}; they are li's decisions now, receipts {number} to {number} "
        "(python -m app undo RECEIPT takes one back)\n"
    )
    assert "自学" in answer("show", 1)
    assert answer("import", file, "--as", "li") == f"{file}: 0 added, 1 duplicates, 0 bad; 0 prior labels\n"
    answer("undo", number, "--as", "li")


def test_a_source_is_given_to_rows_that_name_none_and_an_id_only_if_the_file_has_one(answer, store, write_file):
    answer("import", write_file({"title": "甲？"}, {"title": "乙？", "id": 7, "source": "guokr"}), "--source", "zhihu")
    assert stored(store) == {"甲？": ("zhihu", "", []), "乙？": ("guokr", "7", [])}


def test_overlap_and_several_files_and_gzip(answer, store, tmp_path, write_file):
    packed = tmp_path / "more.csv.gz"
    packed.write_bytes(gzip.compress("id,title,tags\n1,丙？,a|b\n".encode()))
    out = answer("import", write_file({"title": "甲？"}), packed, "--overlap", 3)
    assert out.count(": 1 added, 0 duplicates, 0 bad; ") == 2
    with store.read() as session:
        assert list(session.scalars(select(QueueItem.overlap))) == [3, 3]


def test_standard_input_is_read(answer, store, monkeypatch, write_file):
    with open(write_file(*QUESTIONS)) as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert answer("import", "-") == "-: 4 added, 0 duplicates, 0 bad; 5 prior labels\n"
    assert len(stored(store)) == 4
    assert fingerprint("-") != fingerprint("-")


def test_the_fingerprint_knows_the_bytes_and_the_options(write_file):
    one, same, other = (write_file(f'{{"title": "{title}"}}', name=f"{n}.jsonl") for n, title in enumerate("aab"))
    assert fingerprint(str(one), overlap=1) == fingerprint(str(same), overlap=1)
    assert fingerprint(str(one), overlap=1) != fingerprint(str(one), overlap=2)
    assert fingerprint(str(one), overlap=1) != fingerprint(str(other), overlap=1)


def test_the_first_bad_line_stops_with_what_to_do(call, store, write_file):
    file = write_file(*many(5), "{not json", *many(5, first=6))
    code, out, err = call("import", file)
    assert (code, out) == (1, "")
    assert err.startswith(f"app: {file}, line 6: not valid JSON (")
    assert err.endswith(
        "This run stored nothing. Correct the line and run it again, or pass --skip-bad to leave such lines out.\n"
    )


def test_rows_before_a_bad_line_stay_and_the_import_goes_on_there(call, capsys, store, write_file):
    """A transaction takes 300 rows: two of them are done when line 701 comes."""
    file = write_file(*many(700), "{not json", *many(10, first=701))
    code, out, err = call("import", file)
    assert (code, out) == (1, "")
    assert "The first 600 rows are stored and stay. Correct the line and run it again" in err
    assert len(stored(store)) == 600
    code, out, err = call("import", file, "--skip-bad")
    assert (code, out) == (0, f"{file}: 710 added, 0 duplicates, 1 bad; 0 prior labels\n")
    assert err.startswith(f"1 bad lines left out:\n  {file}, line 701: not valid JSON")
    assert len(stored(store)) == 710
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Import)) == 1


def test_a_notice_says_that_an_import_went_on(call, write_file, capsys):
    from app.cli import main

    file = write_file(*many(301), "{not json")
    assert call("import", file)[0] == 1
    assert main(["import", str(file), "--skip-bad"]) == 0
    assert f"{file}: went on after row 300, where an earlier import stopped.\n" in capsys.readouterr().err


def test_bad_lines_are_left_out_and_listed(call, store, write_file):
    file = write_file(
        {"title": "甲？"}, "{not json", {"title": " "}, '{"title": "乙？", "tags": "x"}', {"title": "丙？"}
    )
    code, out, err = call("import", file, "--skip-bad")
    assert (code, out) == (0, f"{file}: 2 added, 0 duplicates, 3 bad; 0 prior labels\n")
    assert [line.split(": ")[0] for line in err.splitlines()[1:]] == [f"  {file}, line {n}" for n in (2, 3, 4)]


def test_rows_that_the_store_refuses_are_listed_too(call, answer, write_file):
    answer("import", write_file({"id": 1, "title": "甲？"}))
    file = write_file({"id": 1, "title": "乙？"}, {"id": 2, "title": "丙？"}, name="other.jsonl")
    code, out, err = call("import", file)
    assert (code, out) == (1, f"{file}: 1 added, 0 duplicates, 1 bad; 0 prior labels\n")
    assert err.startswith(f"1 bad lines left out:\n  {file}, line 1: id 1 is ")
    assert call("import", file, "--skip-bad")[0] == 0


# Without the time of writing: the test is named by these bytes, and each process of a run must find the same names.
CUT_GZIP = gzip.compress(b'{"title": "a"}\n' * 999, mtime=0)[:20]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("missing.jsonl", None, "missing.jsonl: no such file. "),
        ("nothing.csv", b"name,size\nx,1\n", "nothing.csv, line 1: the header has no column "),
        ("nothing.parquet", b"PAR1 no", "nothing.parquet: the file is cut off, damaged, or no Parquet at all"),
        ("cut.jsonl.gz", CUT_GZIP, "cut.jsonl.gz, after line 0: the gzip data is"),
        ("tasks.json", b'[{"data": {"title": "a"}}, ', "tasks.json, after task 1: the file ends early."),
    ],
)
def test_a_file_that_cannot_be_read_at_all_ends_with_exit_code_2(call, store, tmp_path, name, content, complaint):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    code, out, err = call("import", tmp_path / name, "--skip-bad")
    assert (code, out) == (2, "")
    assert f"app: {tmp_path}/{complaint}" in err
    assert stored(store) == {}


def test_another_encoding_is_named(call, store, write_file):
    file = write_file({"title": "怎么学编程？"}, encoding="gb18030")
    code, out, err = call("import", file)
    assert (code, out) == (1, "")
    assert f"app: {file}, line 1: not UTF-8" in err
    assert "iconv -f GB18030 -t UTF-8" in err
    assert stored(store) == {}


def test_an_unknown_format_is_refused(refusal, write_file):
    assert "docx: no such format of question files" in refusal(
        "import", write_file({"title": "甲？"}), "--format", "docx"
    )


def test_an_empty_file_is_no_error(answer, write_file):
    file = write_file()
    assert answer("import", file) == f"{file}: 0 added, 0 duplicates, 0 bad; 0 prior labels\n"


def test_the_samples_of_the_project_come_in(answer, samples_path):
    assert answer("import", samples_path) == f"{samples_path}: 140 added, 0 duplicates, 0 bad; 470 prior labels\n"


def test_progress_is_shown(path, capsys, write_file):
    from app.cli import main

    assert main(["import", str(write_file(*many(3)))]) == 0
    assert "3/3" in capsys.readouterr().err


@pytest.mark.parametrize("options", [(), ("--skip-bad",), ("--dry-run",)])
def test_a_file_of_another_tool_is_refused_and_nothing_is_stored(refusal, store, write_file, options):
    rows = [{"text": f"第{n}个问题？", "label": "健康", "answer": "reject"} for n in range(3)]
    file = write_file(*rows)
    assert refusal("import", file, *options) == (
        f"{file}, line 1: this looks like a file of Prodigy, which cannot be read as it is. Write one JSON object a "
        'line instead, with "title" and, as a list, "tags": the labels that were accepted. '
        "Leave rows out that were ignored."
    )
    assert stored(store) == {}


def test_a_refusal_in_the_middle_says_what_is_stored(refusal, store, write_file):
    file = write_file(*many(600), {"text": "最后一个？", "answer": "ignore"})
    assert refusal("import", file).endswith("Leave rows out that were ignored. The first 600 rows are stored and stay.")
    assert len(stored(store)) == 600
    assert "stored" not in refusal("import", file, "--dry-run")


def test_labels_that_are_not_read_are_named(call, write_file):
    file = write_file({"title": "胃疼怎么办？", "labels": ["健康"]})
    for options, added in ((("--dry-run",), "would be added"), ((), "added")):
        code, out, err = call("import", file, *options)
        assert code == 0
        assert f"{file}: 1 {added}, 0 duplicates, 0 bad; 0 prior labels\n" in out
        assert err == f'{file}: "labels" looks like labels and is not read. If it holds the tags, call it "tags".\n'
