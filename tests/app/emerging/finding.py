"""Stands in for the engine's `find_emerging`: its "statistics of names" are names and their chances."""

from l2a.evidence.names.emerging import EmergingName

WHERE = "l2a.evidence.names.emerging.find_emerging"  # the one place that the app takes it from


def find_listed(texts, finder, *, is_known, least=3, most=100, progress=lambda done, total: None):
    """Which of the finder's names stand in `least` titles or more and are not known, those in most first."""
    found = []
    for done, (name, chance) in enumerate(finder.items(), 1):
        questions = tuple(text.number for text in texts if name in text.title)
        if len(questions) >= least and not is_known(name):
            found.append(EmergingName(name, chance, questions, surprise=float("inf")))
        progress(done, len(finder))
    return sorted(found, key=lambda name: -len(name.questions))[:most]
