"""Vocabularies in the notations of other tools, given as a list of tags or as questions: refused by the tool's name."""

import gzip
import json

import pytest

from l2a.data.questions import ReadReport
from l2a.data.tag_files import read_tag_table
from l2a.errors import InputError
from tests.l2a.data.readers.test_foreign import lines, refusal

RDF = """<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:Concept rdf:about="http://example.org/1"><skos:prefLabel xml:lang="zh">健康</skos:prefLabel></skos:Concept>
</rdf:RDF>
"""
TURTLE = """# 词表
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .

<http://example.org/1> a skos:Concept ; skos:prefLabel "健康"@zh .
"""
TRIPLES = '<http://example.org/1> <http://www.w3.org/2004/02/skos/core#prefLabel> "健康"@zh .\n'
JSON_LD = """{
  "@context": {"skos": "http://www.w3.org/2004/02/skos/core#"},
  "@id": "http://example.org/1", "skos:prefLabel": {"@language": "zh", "@value": "健康"}
}
"""


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("name", "content", "tool"),
    [
        ("v.rdf", RDF, "SKOS"),
        ("v.txt", RDF, "SKOS"),
        ("v.txt", RDF.split("\n", 1)[1], "SKOS"),
        ("v.ttl", TURTLE, "SKOS"),
        ("v.txt", TURTLE.replace("@prefix", "PREFIX").replace("> .", ">"), "SKOS"),
        ("v.nt", TRIPLES, "SKOS"),
        ("v.txt", TRIPLES, "SKOS"),
        ("v.jsonld", JSON_LD, "SKOS"),
        ("v.json", json.dumps(json.loads(JSON_LD)), "SKOS"),
        ("v.txt", "<http://example.org/1>\t健康\n", "Annif"),
        ("v.csv", "uri,notation,label_zh\nhttp://example.org/1,1,健康\n", "Annif"),
        ("labels.json", json.dumps([{"text": "健康", "suffix_key": "a", "background_color": "#fff"}]), "doccano"),
        ("tags.jsonl", lines({"name": "健康"}), "JSON"),
        ("config.xml", '<View>\n  <Choices name="tags" toName="text"/>\n</View>\n', "XML"),
        ("q.txt", "__label__健康 胃疼怎么办？\n", "fastText"),
    ],
)
def test_a_list_of_tags_in_another_notation_is_refused(tmp_path, name, content, tool, packed):
    path = tmp_path / (f"{name}.gz" if packed else name)
    raw = content.encode("utf-8")
    path.write_bytes(gzip.compress(raw) if packed else raw)
    report = ReadReport()
    with pytest.raises(InputError) as refused:
        list(read_tag_table(path, skip_bad=True, report=report))
    assert f"this looks like a file of {tool}, which cannot be read as it is. " in str(refused.value)
    assert report.bad == 0


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.rdf", RDF),
        ("v.xml", RDF),
        ("v.txt", RDF),
        ("v.csv", RDF),
        ("v.rdf", RDF.split("\n", 1)[1]),
        ("v.ttl", TURTLE),
        ("v.txt", TURTLE.split("\n", 1)[1]),
        ("v.nt", TRIPLES),
        ("v.jsonld", JSON_LD),
        ("v.json", json.dumps(json.loads(JSON_LD))),
        ("v.json", json.dumps([json.loads(JSON_LD)])),
    ],
)
def test_a_vocabulary_given_as_questions_is_named(tmp_path, name, content, packed):
    path = tmp_path / (f"{name}.gz" if packed else name)
    raw = content.encode("utf-8")
    path.write_bytes(gzip.compress(raw) if packed else raw)
    said = refusal(path, skip_bad=True)
    assert "this looks like a file of SKOS, which cannot be read as it is. It holds tags, not questions. " in said


@pytest.mark.parametrize("tag", ["[综艺]", "{x}", "C#", "@我", "_x", "prefix", "base", "P2P", "#话题", "a < b > c"])
def test_a_tag_that_begins_like_a_notation_is_a_tag(write, tag):
    assert [row.name for row in read_tag_table(write("t.txt", f"{tag}\n<canvas>\n"))] == [tag, "<canvas>"]
