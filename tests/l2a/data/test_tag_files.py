import gzip

import pytest

from l2a.data.questions import ReadReport
from l2a.data.tag_files import TagRow, read_tag_table, read_tags
from l2a.errors import InputError


@pytest.fixture
def write(tmp_path):
    def write(name: str, content: str, encoding: str = "utf-8"):
        path = tmp_path / name
        raw = content.encode(encoding)
        path.write_bytes(gzip.compress(raw) if name.endswith(".gz") else raw)
        return path

    return write


def table(path, **options):
    return list(read_tag_table(path, **options))


@pytest.mark.parametrize("name", ["tags.txt", "tags.csv", "tags", "tags.txt.gz"])
def test_a_plain_list_has_one_tag_a_line(write, name):
    content = "\ufeff机器学习\r\n\r\n  C|C++ \r\n'=x\r\n"
    assert table(write(name, content)) == [TagRow(1, "机器学习"), TagRow(3, "C|C++"), TagRow(4, "'=x")]


def test_a_plain_list_may_hold_commas(write):
    assert read_tags(write("tags.txt", "Web, 开发\n机器学习\n")) == ["Web, 开发", "机器学习"]


def test_a_hierarchy_as_tsv(write):
    content = (
        "topicName\ttopicID\tfollowers\tparentName\tparentID\n"
        "根\t1\t10\tNone\tNone\n"
        "科学\t2\tNone\t根\t1\n"
        '叫 "小王" 的人\t3\t5\t根\t1\n'
        "科学\t2\tNone\t知识\t9\n"
    )
    assert table(write("tree.tsv", content)) == [
        TagRow(2, "根", "1"),
        TagRow(3, "科学", "2", "根", "1"),
        TagRow(4, '叫 "小王" 的人', "3", "根", "1"),
        TagRow(5, "科学", "2", "知识", "9"),
    ]


def test_every_column_as_csv_with_escapes(write):
    content = (
        "Definition,NAME,external_id,parent,parent_id,aliases\n"
        '"一种语言\n第二行",C++,t1,编程,t0,C\\|C++|cpp | c plus plus\n'
        "'=note,'=1+1,,,,\n"
        ",,,,,\n"
    )
    assert table(write("tags.csv", content)) == [
        TagRow(2, "C++", "t1", "编程", "t0", ("C|C++", "cpp", "c plus plus"), "一种语言\n第二行"),
        TagRow(4, "=1+1", definition="=note"),
    ]


@pytest.mark.parametrize(
    "header", ["tag,id,parentName,parentID,note", "name,topicID,parent_name,parent_external_id,definition"]
)
def test_columns_have_several_names(write, header):
    row = TagRow(2, "a", "1", "b", "2", (), "c")
    assert table(write("tags.csv", f"{header}\na,1,b,2,c\n")) == [row]


def test_a_table_without_names_is_refused_with_the_columns_it_has(write):
    with pytest.raises(InputError) as refused:
        table(write("tags.csv", "id,parent\n1,2\n"))
    assert str(refused.value).endswith(
        "tags.csv, line 1: the header has no column name; it has id, parent. "
        "Expected: name,external_id,parent,parent_id,aliases,definition; lists are joined by |."
    )


def test_bad_lines_are_refused_by_number_and_can_be_skipped(write):
    path = write("tags.csv", "name,id\na,1\n,2\nb\nc,3\n")
    with pytest.raises(InputError, match=r"tags\.csv, line 3: the tag has no name"):
        table(path)
    report = ReadReport()
    assert [row.name for row in table(path, skip_bad=True, report=report)] == ["a", "c"]
    assert (report.good, report.bad) == (2, 2)
    assert str(report.messages[1]).endswith("line 4: 1 columns where the header has 2")


def test_an_old_encoding_is_named(write):
    with pytest.raises(InputError, match=r"line 2: not UTF-8 .* convert it with: iconv -f GB18030"):
        table(write("tags.csv", "name\n电影\n", "gb18030"))


def test_an_empty_file_holds_no_tags_and_a_missing_one_is_refused(write, tmp_path):
    assert table(write("tags.csv", "\n\n")) == []
    with pytest.raises(InputError, match=r"nowhere\.csv: no such file\. Give a list of tags, one a line, or a CSV"):
        table(tmp_path / "nowhere.csv")
