"""A tiny tagger that learns from decisions, and questions for it."""

from dataclasses import replace

import pytest

from l2a.data.questions import read_questions
from tests.l2a.ranking.priors import prior_of

WEIGHTS = {"model.standing": 3.0, "precedents.share": 3.0, "mentions.title": 1.0}


@pytest.fixture(scope="session")
def learner(tiny_tagger):
    return replace(tiny_tagger, prior=prior_of(WEIGHTS))


@pytest.fixture(scope="session")
def labelled(samples_path):
    return [question for question in read_questions(samples_path) if question.tags]


@pytest.fixture(scope="session")
def learn(labelled):
    return labelled[:12]


@pytest.fixture(scope="session")
def test_questions(labelled):
    return labelled[12:18]
