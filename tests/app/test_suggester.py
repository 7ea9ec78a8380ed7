import threading
import time
from types import SimpleNamespace

import pytest

from app.suggester import Suggester


class CountingTagger:
    """Notes how many calls are inside it at once."""

    def __init__(self):
        self.inside = 0
        self.most = 0

    def suggest(self, questions, *, beam=None):
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(0.02)
        self.inside -= 1
        return [SimpleNamespace(title=question.title, beam=beam) for question in questions]


def test_sessions_take_turns_and_each_gets_its_own_answer():
    tagger = CountingTagger()
    suggester = Suggester(tagger)
    answers = {}

    def ask(title):
        answers[title] = suggester.suggest(title, beam=3)

    threads = [threading.Thread(target=ask, args=(f"question {n}",)) for n in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert tagger.most == 1
    assert {title: answer.title for title, answer in answers.items()} == {title: title for title in answers}
    assert len(answers) == 5


def test_an_error_frees_the_turn():
    class FailingTagger:
        def suggest(self, questions, *, beam=None):
            raise ValueError("no")

    suggester = Suggester(FailingTagger())
    for _ in range(2):  # the second call would wait for ever if the first kept the lock
        with pytest.raises(ValueError, match="no"):
            suggester.suggest("x")
