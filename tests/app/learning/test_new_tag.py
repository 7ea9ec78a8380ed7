"""A tag nobody used before: five accepted examples and one retraining, with the model and samples of the project."""

import json

import pytest
import torch

from app.learning.recipe import Options, spec_for
from app.shell.settings import ROOT
from l2a.data.questions import Question, read_questions
from l2a.tagger import Tagger
from l2a.training.run import train_run

TAG = "云杉笔记"
EXAMPLES = (
    "云杉笔记和纸质手帐相比，哪个更适合记读书心得？",
    "刚开始用云杉笔记，文件夹应该怎么分？",
    "云杉笔记的会员值得买吗？",
    "怎么把以前的备忘录都搬到云杉笔记里？",
    "云杉笔记突然打不开了，里面的内容还能找回来吗？",
)
UNSEEN = (
    "云杉笔记能不能在平板上手写？",
    "大家都用云杉笔记记些什么？",
    "公司团队协作用云杉笔记够用吗？",
    "云杉笔记的模板在哪里下载？",
    "从云杉笔记导出的文件乱码怎么办？",
)


@pytest.mark.timeout(600)
def test_five_examples_teach_a_new_tag_and_nothing_else_gets_it(samples_path, tmp_path):
    samples = list(read_questions(samples_path))
    decided, unrelated = samples[:20], samples[60:80]
    rows = [{"title": title, "tags": [TAG]} for title in EXAMPLES]
    rows += [{"title": q.title, "description": q.description, "tags": list(q.tags)} for q in decided]
    train = tmp_path / "train.jsonl"
    train.write_text("".join(json.dumps({"id": str(n), **row}) + "\n" for n, row in enumerate(rows)), encoding="utf-8")
    starter = ROOT / "models" / "starter"
    before = Tagger.load(starter)
    assert TAG not in before.frequencies
    torch.set_num_threads(1)
    train_run(spec_for(Options(), starter, train, len(rows)), tmp_path / "run", quiet=True, say=lambda _: None)
    after = Tagger.load(tmp_path / "run" / "best")

    def given(tagger: Tagger, questions: list[Question]) -> int:
        return sum(TAG in {s.tag for s in answer.kept} for answer in tagger.suggest(questions))

    about = [Question(title=title) for title in UNSEEN]
    known, elsewhere = given(after, about), given(after, unrelated)
    print(f"about it: {given(before, about)} -> {known} of 5; unrelated: {elsewhere} of 20")
    assert known >= 3
    assert elsewhere <= 1
