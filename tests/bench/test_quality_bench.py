"""bench/quality.py on a handful of questions: the peers, the tuning, the comparison and the report's counts."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from bench import quality
from bench.peers import fasttext, literal, neighbours, page, report, ridge
from bench.peers.cache import Cache
from bench.peers.material import Material, Unavailable
from bench.peers.tuning import Choice, keep, tune
from l2a.data.questions import Question
from l2a.measure.bootstrap import difference_interval
from l2a.measure.metrics import nlpcc_score
from l2a.simulation.peers import RIDGE, rank_by_ridge

# Subjects that share no word, each with two tags; the second tag stands in every text.
SUBJECTS = {
    "cat": (("宠物", "猫咪"), "我家的猫咪{}不肯吃饭怎么办"),
    "car": (("汽车", "驾驶"), "新手{}练习驾驶有什么技巧"),
    "code": (("编程", "Python"), "程序员{}用 python 写哪些工具"),
    "food": (("美食", "火锅"), "重庆的火锅{}为什么特别辣"),
}
FILLERS = ("今天", "昨天", "早上", "晚上", "最近", "冬天", "夏天", "周末")


def make(fillers, source="hand", **changes):
    return [
        Question(text.format(filler), tags=tags, id=f"{name}-{filler}", source=source, **changes)
        for filler in fillers
        for name, (tags, text) in SUBJECTS.items()
    ]


def write(path, questions):
    rows = [{name: getattr(q, name) for name in ("id", "source", "title", "tags", "partial_tags")} for q in questions]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def write_pages(path, questions):
    rows = [{"title": q.title, "tags": q.tags, "leaf_tags": q.tags[1:], "partial_tags": True} for q in questions]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def arguments(tmp_path):
    """A folder of data and the arguments that name it; no cache folder, so nothing is kept or built."""
    zhihu, lexicon = tmp_path / "zhihu", tmp_path / "lexicon"
    write(zhihu / "train.jsonl", make(FILLERS))
    write(zhihu / "dev.jsonl", make(("平时",)))
    write(zhihu / "test.jsonl", make(("经常",), partial_tags=True))
    write(
        zhihu / "test_open.jsonl", [Question("重庆的火锅今年为什么特别辣", tags=("火锅", "重庆"), id="o", source="s")]
    )
    write(tmp_path / "silver.jsonl", make(("明年", "后天"), source="silver"))
    write_pages(tmp_path / "pages.jsonl", make(("去年",), source="pages"))
    lexicon.mkdir()
    (lexicon / "nlpcc2018_task6_tags.csv").write_text("rank,tag\n1,工具\n2,Python\n", encoding="utf-8")
    (lexicon / "zhihu_topic_tree.tsv").write_text(
        "topicName\ttopicID\tfollowers\tparentName\tparentID\n川菜\t1\t9\t菜系\t2\n", encoding="utf-8"
    )
    files = ["--silver", str(tmp_path / "silver.jsonl"), "--pages", str(tmp_path / "pages.jsonl")]
    return quality.parse(["--data", str(tmp_path), *files, "--out", str(tmp_path), "--beam", "2"])


def test_every_peer_runs_and_a_missing_one_is_named(arguments, capfd):
    pytest.importorskip("omikuji")
    found = quality.measure(arguments)
    assert {name for name, method in found["methods"].items() if "unavailable" in method} == {"fastText"}
    assert list(found["methods"])[-2:] == [quality.TEACHER, quality.STARTER]
    assert len(found["methods"]) == len(quality.PEERS) + len(quality.MIXTURES) + 1
    for name, method in found["methods"].items():
        if name in ("fastText", quality.STARTER, quality.TEACHER):
            continue
        # Literal matching finds the one tag of two that stands in the text; who learns finds both.
        assert method["scores"]["test"]["recall"] == (0.5 if name == quality.LITERAL else 1.0), name
        assert method["against"]["test"]["verdict"] == "behind" or name == quality.LITERAL, name
    # The teacher weighs both kinds of tags, for which so few questions are too few; it finds those in the text.
    assert found["methods"][quality.TEACHER]["scores"]["test"]["recall"] >= 0.5
    assert found["facts"]["silver"] == 8
    table = report.to_markdown(found)
    assert "| fastText | not built: give a --cache folder to build it in |" in table
    assert table.count("### ") == 2
    best = found["best_peer"]["test"]
    assert f"Strongest peer on test: {best}. The starter against it: -" in table
    assert found["methods"][best]["scores"]["test"]["f1"] == 1.0
    progress = capfd.readouterr().err.splitlines()
    assert [line.rpartition(": ")[0] for line in progress if line.endswith(" s")] == [
        *(f"starter, {part}" for part in quality.FILES),
        *(peer.name for peer in quality.PEERS if peer.name != "fastText"),
        *quality.MIXTURES,
    ]


def answers_of(arguments):
    """What the peers were asked, and the tags that each gave to each question."""
    paths = {part: arguments.data / "zhihu" / name for part, name in quality.FILES.items()}
    sets = {part: list(quality.read_questions(path)) for part, path in paths.items()}
    data = quality._material(arguments, sets, quality.Tagger.load(arguments.model))
    methods = quality._run_peers(arguments, data, sets, paths, Cache(None))
    # Omikuji takes no seed, and two tags that always go together may change places.
    answers = {
        name: {part: [sorted(tags) for tags in found["answers"][part]] for part in sets}
        for name, found in methods.items()
        if "answers" in found and name != quality.TEACHER  # whose probabilities wander on so few questions
    }
    return data.questions, answers


def test_labels_of_the_test_questions_change_no_prediction(arguments):
    pytest.importorskip("omikuji")
    arguments.without_fasttext = True
    asked, before = answers_of(arguments)
    for part in ("test", "open"):
        path = arguments.data / "zhihu" / quality.FILES[part]
        write(path, [replace(question, tags=("别的标签",)) for question in quality.read_questions(path)])
    asked_again, after = answers_of(arguments)
    assert asked_again == asked
    assert len(before) == len(quality.PEERS) + len(quality.MIXTURES) - 2  # without fastText and the teacher
    assert after == before


def test_labels_of_the_dev_questions_decide():
    questions = {part: make(("平时",)) for part in quality.FILES}
    variants = {"": [[(tag, 0.5) for tag in question.tags] for part in questions for question in questions[part]]}
    assert quality._tuned(variants, questions)["answers"]["test"][0] == ["宠物", "猫咪"]
    questions["dev"] = [replace(question, tags=question.tags[:1]) for question in questions["dev"]]
    assert quality._tuned(variants, questions)["answers"]["test"][0] == ["宠物"]


def test_questions_with_tags_are_not_shown_to_peers():
    with pytest.raises(ValueError, match="still carry tags"):
        Material([], [], list, make(("今天",)))


def test_tuning_follows_the_dev_labels():
    variants = {
        "a": [[("错", 0.9), ("对", 0.8)], [("错", 0.9)]],
        "b": [[("对", 0.9), ("错", 0.5), ("也对", 0.4)], [("错", 0.3)]],
    }
    # Right is b's first tag alone, with a cut-off that leaves the second question without any.
    assert tune(variants, [["对"], []]) == Choice("b", 1, 0.4)
    assert tune(variants, [["错"], ["错"]]) == Choice("a", 1, None)
    assert keep(variants["b"], Choice("b", 2, 0.4)) == [["对", "错"], []]
    assert keep(variants["b"], Choice("b", 3, None)) == [["对", "错", "也对"], ["错"]]


def test_no_other_choice_is_better_on_dev():
    picker = np.random.default_rng(3)
    ranking = [[(f"标{n}", float(s)) for n, s in enumerate(np.sort(picker.random(6))[::-1])] for _ in range(30)]
    gold = [[f"标{n}" for n in picker.choice(6, 2, replace=False)] for _ in ranking]
    chosen = nlpcc_score(keep(ranking, tune({"": ranking}, gold)), gold).f1
    assert chosen >= max(nlpcc_score(keep(ranking, Choice("", k, None)), gold).f1 for k in range(1, 6))


def material(questions, gold=None, lexicon=()):
    return Material(gold or make(FILLERS), lexicon, list, [replace(q, tags=()) for q in questions])


def test_neighbours_vote_with_their_cosine():
    gold = [Question("猫粮", tags=("猫",)), Question("猫粮", tags=("猫", "宠物")), Question("汽车", tags=("车",))]
    (found,) = neighbours.vote(material([Question("猫粮")], gold))["3 neighbours"]
    assert found == [("猫", pytest.approx(1.0)), ("宠物", pytest.approx(0.5))]  # 车 has a cosine of 0: no vote


def test_ridge_is_the_closed_form_whatever_a_question_weighs():
    data = material(make(("平时",)))
    learn, answer = data.features
    once = data.cuts, np.ones(len(data.cuts)), {"": data.keys}
    (exact,) = ridge.solve_one(*once, data.question_cuts, RIDGE).values()
    for found, expected in zip(exact, rank_by_ridge(learn, answer, data.keys), strict=True):
        assert dict(found) == pytest.approx(dict(expected), abs=1e-3)
    # A question of half the weight twice is one of the whole weight: with words that stand in both, rarity is the same.
    twice = [*data.cuts, *data.cuts], np.full(2 * len(data.cuts), 0.5), {"": [*data.keys, *data.keys]}
    (halves,) = ridge.solve_one(*twice, data.question_cuts, RIDGE).values()
    for found, expected in zip(halves, exact, strict=True):
        assert dict(found) == pytest.approx(dict(expected), abs=0.02)


def test_pages_teach_tags_that_gold_lacks_with_and_without_those_above(tmp_path):
    page = Question("养乌龟要注意什么", tags=("动物", "乌龟"))
    write_pages(tmp_path / "pages.jsonl", [page])
    data = replace(material([Question("乌龟冬天怎么养")]), pages=tmp_path / "pages.jsonl")
    found = ridge.with_pages(data)
    assert {tag for tag, _ in found["pages, ridge 1"][0][:2]} == {"动物", "乌龟"}
    assert found["leaves of pages, ridge 1"][0][0][0] == "乌龟"
    assert "动物" not in dict(found["leaves of pages, ridge 1"][0])


def test_every_run_names_its_strongest_peer(arguments, monkeypatch):
    against = {"difference": 0.02, "interval": [0.01, 0.05], "verdict": "ahead"}
    asked = []

    def measure(args):
        asked.append(args.run)
        scores = {part: {"f1": args.run / 10, "precision": 0, "recall": 0} for part in quality.FILES}
        peer = {"chosen": "", "scores": scores}
        methods = {f"peer {args.run}": {**peer, "against": dict.fromkeys(quality.COMPARED, against)}}
        return {"methods": methods, "best_peer": dict.fromkeys(quality.COMPARED, f"peer {args.run}"), "blocks": {}}

    monkeypatch.setattr(quality, "measure", measure)
    monkeypatch.setattr(report, "draw", lambda found, path: None)
    data, out = str(arguments.data), arguments.data / "out"
    quality.main(["--data", data, "--out", str(out), "--runs", "2"])
    assert asked == [1, 2]
    table = (out / "quality.md").read_text(encoding="utf-8")
    assert "Run 2, open: peer 2 20.0; +2.0 [+1.0, +5.0] ahead." in table
    assert [run["test"]["f1"] for run in json.loads((out / "quality.json").read_text(encoding="utf-8"))["runs"]] == [
        0.1,
        0.2,
    ]


def test_literal_matching_looks_for_listed_and_for_training_tags():
    (found,) = literal.match(material([Question("程序员用 PYTHON 写工具")], lexicon=["工具", "编辑器"]))[""]
    assert {tag for tag, _ in found} == {"Python", "工具"}


def test_one_literal_match_goes_behind_the_first_two():
    other = [[("甲", 0.9), ("乙", 0.8), ("丙", 0.7), ("丁", 0.6)], [("甲", 0.9)], []]
    matched = [[("乙", 0.6), ("丁", 0.35), ("戊", 0.3)], [("己", 0.15)], [("庚", 0.5)]]
    mixed = literal.mix({"": other}, matched)
    assert [[tag for tag, _ in pairs] for pairs in mixed["literal from 0.1"]] == [
        ["甲", "乙", "丁", "丙"],
        ["甲", "己"],
        ["庚"],
    ]
    assert mixed["literal from 0.4"] == [other[0], other[1], [("庚", float("inf"))]]
    assert keep(mixed["literal from 0.1"], Choice("", 5, 0.75))[0] == ["甲", "乙", "丁"]  # 丙 goes, 丁 stays


def test_interval_is_that_of_a_plain_loop():
    picker = np.random.default_rng(7)
    gold = [[f"标{n}" for n in picker.choice(9, 3, replace=False)] for _ in range(40)]
    before, after = ([[f"标{n}" for n in picker.choice(9, size)] for _ in gold] for size in (2, 6))
    differences = []
    for times in np.random.default_rng(5).multinomial(40, np.full(40, 1 / 40), size=100):
        drawn = [question for question, count in enumerate(times) for _ in range(count)]
        scores = [nlpcc_score([side[i] for i in drawn], [gold[i] for i in drawn]).f1 for side in (before, after)]
        differences.append(scores[1] - scores[0])
    expected = np.quantile(differences, (0.025, 0.975))
    assert difference_interval(gold, before, after, seed=5, resamples=100) == pytest.approx(tuple(expected))
    assert expected[0] < expected[1]


@pytest.mark.parametrize(("starter", "peer", "verdict"), [(30, 20, "ahead"), (20, 30, "behind"), (20, 21, "level")])
def test_verdict_needs_an_interval_without_zero(starter, peer, verdict):
    questions = [Question("问", tags=("对",)) for _ in range(40)]
    right = [[["对"] if number < count else ["错"] for number in range(40)] for count in (peer, starter)]
    # Level: one of the 40 is answered by the peer alone, and draws without it show no difference at all.
    found = report.compare(questions, *right)
    assert found["verdict"] == verdict
    assert found["difference"] == pytest.approx((starter - peer) / 40)


def test_counts_of_the_report_by_hand():
    questions = [
        Question("猫咪吃什么", tags=("猫咪", "宠物"), source="a"),
        Question("新的东西", tags=("新词", "列表词"), source="b", partial_tags=True),
        Question("没有答案", tags=("宠物",), source="b"),
    ]
    answers = [["猫咪", "新词"], ["新词", "列表词", "宠物"], []]
    gold_keys = frozenset({"猫咪", "宠物"})
    found = report.describe(answers, questions, gold_keys, gold_keys | {"列表词"})
    assert (found["all"]["questions"], found["all"]["recall"]) == (3, 3 / 5)
    # First places: 2 of 2 right; second: 1 of 2; third: 0 of 1.
    first, second, third = (1 / np.log(place + 2) for place in (1, 2, 3))
    assert found["all"]["precision"] == pytest.approx((2 * first + second) / (2 * first + 2 * second + third))
    assert (found["complete"]["questions"], found["complete"]["recall"]) == (2, 1 / 3)
    assert {name: part["questions"] for name, part in found["sources"].items()} == {"a": 1, "b": 2}
    assert found["sources"]["a"]["recall"] == 1 / 2
    # Seen in gold: 猫咪 right; 宠物 of the second question wrong; 宠物 asked for twice and not given.
    assert found["seen"]["recall"] == pytest.approx(1 / 3)
    assert found["seen"]["precision"] == pytest.approx(1 / 2)
    assert (found["present_absent"]["present_correct"], found["present_absent"]["present_total"]) == (1, 1)
    assert (found["present_absent"]["absent_correct"], found["present_absent"]["absent_total"]) == (2, 4)
    counts = {
        name: tuple(found[name][key] for key in ("correct", "predicted", "gold"))
        for name in ("new_to_gold", "new_to_all")
    }
    assert counts == {"new_to_gold": (2, 3, 2), "new_to_all": (1, 2, 1)}


def test_the_picture_shows_every_compared_method_the_strongest_first(tmp_path, monkeypatch):
    against = {"difference": 0.02, "interval": [-0.01, 0.05], "verdict": "level"}
    weak = {"difference": 0.3, "interval": [0.2, 0.4], "verdict": "ahead"}
    methods = {
        "weak": {"against": {"test": weak, "open": against}},
        "strong": {"against": {"test": against, "open": weak}},
        "missing": {"unavailable": "not run"},
        "starter": {"scores": {}},
    }
    found = {"methods": methods, "best_peer": {"test": "strong", "open": "weak"}}
    report.draw(found, tmp_path / "quality.png")
    assert (tmp_path / "quality.png").read_bytes().startswith(b"\x89PNG")
    shown = {}
    monkeypatch.setattr(report, "draw_intervals", lambda path, panels, xlabel: shown.update(panels))
    report.draw(found, tmp_path / "again.png")
    assert list(shown) == ["test", "open"]
    assert list(shown["test"]) == list(shown["open"]) == ["strong", "weak"]
    assert shown["test"]["strong"] == pytest.approx((-1.0, 2.0, 5.0))


def test_new_to_all_counts_silver_and_both_lists_as_known(arguments):
    write(arguments.silver, [Question("银的", tags=("银标签",))])
    sets = {part: [] for part in quality.FILES}
    data = quality._material(arguments, sets, quality.Tagger.load(arguments.model))
    assert quality._all_keys(arguments.data, data) >= {"银标签", "工具", "川菜", "菜系", "宠物", "python"}


def test_peers_get_as_many_silver_labels_as_the_model_had_or_all_if_it_had_none(arguments):
    class Learned:
        def __init__(self, count):
            self.details = {"data": {"pretrain": count}}

    def silver(model):
        return len(quality._material(arguments, dict.fromkeys(quality.FILES, ()), model).read_silver())

    assert [silver(Learned(count)) for count in (0, 3, 120_000)] == [8, 3, 8]


def test_report_says_that_a_mixture_is_missing_with_its_part(arguments):
    pytest.importorskip("omikuji")
    arguments.silver, arguments.pages, arguments.without_fasttext = None, None, True
    arguments.without = [quality.BONSAI_TREES]
    found = quality.measure(arguments)
    missing = {name: method["unavailable"] for name, method in found["methods"].items() if "unavailable" in method}
    assert missing == {
        "fastText": "not run: --without-fasttext",
        quality.BONSAI_TREES: "not run: --without",
        **dict.fromkeys((quality.PAGES_RIDGE, "ridge, gold + pages, + literal"), "not run: no --pages file"),
        **dict.fromkeys(
            (
                quality.SILVER_TREES,
                "Omikuji, gold + silver, + literal",
                quality.ALL_TREES,
                "Omikuji, gold + silver + pages, + literal",
                quality.ALL_RIDGE,
                "ridge, gold + pages + some silver, + literal",
            ),
            "not run: no --silver file",
        ),
    }


def test_cache_computes_once_for_the_same_parts(tmp_path):
    calls = []

    def compute():
        calls.append(1)
        return {"a": [("标签", 0.5)]}

    cache = Cache(tmp_path / "kept")
    assert cache.get("x", ["1"], compute) == ({"a": [["标签", 0.5]]}, False)
    assert cache.get("x", ["1"], compute) == ({"a": [["标签", 0.5]]}, True)
    assert cache.get("x", ["2"], compute)[1] is False
    assert len(calls) == 2


def test_fasttext_that_cannot_be_built_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no-python"))
    with pytest.raises(Unavailable, match=r"no virtual environment: .*no-python"):
        fasttext._ready_environment(tmp_path)


def test_last_line_of_a_failed_command_is_the_reason():
    program = "import sys; sys.exit('first\\nno compiler here\\n')"
    with pytest.raises(Unavailable, match=r"^not built: no compiler here$"):
        fasttext._run([sys.executable, "-c", program], "not built")


def test_the_page_marks_right_tags_and_shows_every_nth_question(tmp_path):
    questions = [Question(title=f"<b>第 {n} 问", tags=("电影", "A&B")) for n in range(5)]
    answers = {"starter": [["Ａ&b", "音乐"]] * 5, "a <peer>": [[]] * 5}
    page.write_page(tmp_path / "out" / "page.html", questions, answers, every=2)
    text = (tmp_path / "out" / "page.html").read_text(encoding="utf-8")
    assert text.count("<h2>") == 3
    assert "&lt;b&gt;第 4 问" in text
    assert "第 1 问" not in text
    assert "<b>Ａ&amp;b</b>、音乐" in text
    assert "<td>a &lt;peer&gt;</td><td>–</td>" in text
