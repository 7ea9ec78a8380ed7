"""Who may import whom: between the packages, and between the rooms of each package (docs/architecture.md)."""

import pytest

from tests.project.source import PACKAGES, ROOT, imports_of, module_of, python_files

# Who may not import what. A name stands for the package and everything in it; None stands for "anyone else".
FORBIDDEN: dict[str | None, frozenset[str]] = {
    "l2a": frozenset({"db", "app", "pages", "streamlit", "plotly"}),
    "db": frozenset({"l2a", "app", "pages", "streamlit", "plotly", "torch"}),
    "app": frozenset({"pages", "plotly"}),
    "app.figures": frozenset({"pages", "streamlit"}),
    "app.learning": frozenset({"pages", "plotly", "streamlit"}),
    "app.memory": frozenset({"pages", "plotly", "streamlit"}),
    "app.commands": frozenset({"pages", "plotly", "streamlit"}),
    "app.emerging": frozenset({"pages", "plotly", "streamlit"}),
    "app.commands.run": frozenset({"pages", "plotly"}),
    "pages": frozenset({"pages", "plotly"}),
    "tests": frozenset({"pages"}),
    None: frozenset({"pages", "plotly"}),
}

SAYING = "errors messages"
# The front door: question -> hypotheses, votes, chances; and where it looked.
DOOR = "tagger answering suggestions explain checkpoint"
# What a screen stands on; `entry` joins it.
BELOW = "places shell access memory serving learning transfer emerging figures"
SCREENS = "annotate attention beams history tags export dashboard retrain admin"

# Which room may import which others of its package. A room is a folder or a single module; what is inside of it belongs
# to it unless it has a line of its own. Inside a room everybody may import everybody.
ENGINE = {
    "messages": "",
    "errors": "messages",
    "places": "",
    "hanzi_fonts": "",
    "config": f"{SAYING} text evidence",  # which orders and which sources there are
    "text": SAYING,  # no network, no files, no evidence
    "data": f"{SAYING} text",
    "network": f"{SAYING} config text",  # no evidence, no search
    "search": f"{SAYING} config text",  # no model: any step function will do
    "search.fast": f"{SAYING} config text search network",
    "evidence": f"{SAYING} text data",  # no network, no search
    "ranking": f"{SAYING} config text data search evidence",  # no network, no tagger: it ranks what they found
    # Nothing that suggests imports training.
    **dict.fromkeys(DOOR.split(), f"{SAYING} {DOOR} config text data network search search.fast evidence ranking"),
    "measure": f"{SAYING} {DOOR} config text data search",
    "bulk": f"{SAYING} {DOOR} config text data",
    "training": f"{SAYING} {DOOR} config hanzi_fonts text data network search evidence measure bulk simulation",
    "simulation": f"{SAYING} {DOOR} config text data evidence ranking measure bulk",  # a simulated moderator
    "command_line": SAYING,
    "commands": f"{SAYING} {DOOR} config places command_line text data network evidence measure bulk training"
    " simulation",
    "cli": "command_line commands",
    "__main__": "cli",
    "experiments": f"{SAYING} {DOOR} config hanzi_fonts commands text data network search measure training",
}
STORE = {  # each room knows those before it
    "messages": "",
    "errors": "messages",
    "store": SAYING,
    "access": f"{SAYING} store",
    "people": f"{SAYING} store access",
    "spellings": f"{SAYING} store access people",
    "ledger": f"{SAYING} store access people spellings",
    "tags": f"{SAYING} store access people spellings ledger",
    "queue": f"{SAYING} store access people spellings ledger tags",
    "models": f"{SAYING} store access people spellings ledger tags queue",
    "figures": f"{SAYING} store access people spellings ledger tags queue models",
    "transfer": f"{SAYING} store access people spellings ledger tags queue models figures",
}
APP = {
    "places": "",
    "figures": "",  # numbers in, figures out
    "shell": "places figures",
    "access": "places shell",
    "memory": "places",
    "serving": "places shell memory",
    "transfer": "places shell",
    "learning": "places shell memory serving",
    "emerging": "shell",
    "entry": BELOW,
    **dict.fromkeys(SCREENS.split(), f"{BELOW} entry"),  # a screen knows no other screen
    "commands": f"{BELOW} {SCREENS}",  # of a screen what it knows, never what it draws: no Streamlit
    "cli": "commands shell",
    "__main__": "cli",
    "main": f"{BELOW} entry",
}
ROOMS: dict[str, set[str]] = {
    **{package: set() for package in PACKAGES},  # what is in a package's own __init__.py
    **{
        f"{package}.{room}": {f"{package}.{other}" for other in others.split()}
        for package, table in zip(PACKAGES, (ENGINE, STORE, APP), strict=True)
        for room, others in table.items()
    },
}

# What does not follow the table yet, each with its reason; one that is gone must go from here, too.
KNOWN: dict[tuple[str, str], str] = {}


def row(name: str, table) -> str | None:
    """The line of the table that a dotted name belongs to: the longest that it begins with."""
    parts = name.split(".")
    starts = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((start for start in starts if start in table), None)


def wrong_arrows(source: str, module: str, is_package: bool = False) -> list[str]:
    """The forbidden imports in the source of `module`, dotted; imports inside functions count, as do relative ones."""
    forbidden = FORBIDDEN[row(module, FORBIDDEN)]
    return [
        f"{module}, line {line}: imports {name}"
        for line, name in imports_of(source, module, is_package)
        if name.split(".")[0] in forbidden
    ]


def wrong_doors(source: str, module: str, is_package: bool = False) -> list[tuple[str, str]]:
    """(module, what it imports) for each import of a room that the module's own room may not know."""
    home = row(module, ROOMS)
    if home is None:
        return []
    allowed = {home} | ROOMS[home]
    names = [name for _, name in imports_of(source, module, is_package) if name.split(".")[0] == module.split(".")[0]]
    return [(module, name) for name in dict.fromkeys(names) if row(name, ROOMS) not in allowed]


def everything():
    for path in python_files():
        yield path.read_text(encoding="utf-8"), module_of(path), path.name == "__init__.py"


def test_imports_follow_the_arrows():
    assert {path.relative_to(ROOT).parts[0] for path in python_files()} >= {"l2a", "db", "app", "pages", "tests"}
    assert [wrong for file in everything() for wrong in wrong_arrows(*file)] == []


def test_rooms_import_only_the_rooms_they_may_know():
    found = [door for file in everything() for door in wrong_doors(*file)]
    new = [f"{module} imports {name}" for module, name in found if (module, name) not in KNOWN]
    assert new == []
    gone = [f"{module} imports {name}" for module, name in KNOWN if (module, name) not in found]
    assert gone == [], "no longer wrong: take it out of KNOWN"
    assert all(KNOWN.values()), "say why"


def test_every_folder_has_a_line_in_the_table():
    folders = {path.parent for path in python_files() if path.relative_to(ROOT).parts[0] in PACKAGES}
    rooms = {module_of(folder / "__init__.py") for folder in folders}
    assert {room for room in rooms if "." in room and row(room, ROOMS) in PACKAGES} == set()
    gone = [room for room in ROOMS if not (ROOT.joinpath(*room.split("."))).is_dir()]
    assert [room for room in gone if not ROOT.joinpath(*room.split(".")).with_suffix(".py").is_file()] == []


@pytest.mark.parametrize(
    ("module", "source", "imported"),
    [
        ("l2a.tagger", "import streamlit as st", "streamlit"),
        ("l2a.tagger", "from db.store.tables import Row", "db.store.tables"),
        ("l2a.tagger", "import numpy, app.shell.settings", "app.shell.settings"),
        ("l2a.baselines.tree", "from ... import db", "db"),
        ("l2a.tagger", "def f():\n    import plotly.express", "plotly.express"),
        ("l2a.tagger", "import importlib\nimportlib.import_module('streamlit')", "streamlit"),
        ("db.ledger.entries", "if True:\n    from torch import nn", "torch"),
        ("db.ledger.entries", "from l2a.data.questions import Question", "l2a.data.questions"),
        ("app.main", "import pages.suggest", "pages.suggest"),
        ("app.tags.listing", "import plotly.graph_objects as go", "plotly.graph_objects"),
        ("app.learning.gate", "import streamlit as st", "streamlit"),
        ("app.figures.votes", "from streamlit import write", "streamlit"),
        ("pages.suggest", "from . import beams", "pages.beams"),
        ("pages.suggest", "import plotly.graph_objects as go", "plotly.graph_objects"),
        ("bench.speed", "import plotly", "plotly"),
    ],
)
def test_a_wrong_arrow_is_found(module, source, imported):
    (complaint,) = wrong_arrows(source, module)
    assert complaint.startswith(f"{module}, line ")
    assert complaint.endswith(f": imports {imported}")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("app.figures", "import plotly.graph_objects as go\nfrom l2a.tagger import Suggestion\nimport db"),
        ("app.commands.run", "from streamlit.web import cli"),
        ("pages.suggest", "import streamlit as st\nfrom app import figures\nfrom l2a.errors import L2AError"),
        (
            "l2a.tagger",
            "import torch\nfrom l2a.data.questions import Question\nfrom . import voting\nimport application",
        ),
        ("db.ledger.entries", "import sqlalchemy\nfrom .models import Row"),
    ],
)
def test_a_right_arrow_is_left_alone(module, source):
    assert wrong_arrows(source, module) == []


@pytest.mark.parametrize(
    ("module", "source", "imported"),
    [
        ("l2a.text.words", "from l2a.network.model import Model", "l2a.network.model"),
        ("l2a.network.model", "from l2a import evidence", "l2a.evidence"),
        ("l2a.network.model", "def f():\n    import l2a.evidence.retriever", "l2a.evidence.retriever"),
        ("l2a.search.beam", "from ..network import model", "l2a.network.model"),
        ("l2a.search.beam", "from l2a.search.fast import beam", "l2a.search.fast.beam"),
        ("l2a.evidence.linear", "from l2a.tagger import Tagger", "l2a.tagger"),
        ("l2a.tagger", "from l2a.training.loop import train", "l2a.training.loop"),
        ("l2a.measure.metrics", "import l2a.experiments.corpora", "l2a.experiments.corpora"),
        ("db.store.engine", "from db import people", "db.people"),
        ("db.ledger.entries", "from db.queue import claims", "db.queue.claims"),
        ("db.ledger.entries", "from db.tags import changes", "db.tags.changes"),
        ("db.models.registry", "from db.transfer.export import read", "db.transfer.export"),
        ("app.history.content", "from app.annotate import board", "app.annotate.board"),
        ("app.shell.widgets", "from app.tags.content import row", "app.tags.content"),
        ("app.figures.beams", "from app.shell import session", "app.shell.session"),
        ("app.learning.gate", "from app.commands.shared import count", "app.commands.shared"),
    ],
)
def test_a_door_that_should_be_shut_is_found(module, source, imported):
    assert wrong_doors(source, module) == [(module, imported)]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("l2a.text.codec", "from l2a.text.words import Words\nfrom . import vocabulary"),
        ("l2a.search.fast.beam", "from l2a.search.beam import Hypothesis\nfrom l2a.network.model import Model"),
        ("l2a.evidence.linear", "from l2a.data.questions import Question\nfrom l2a.text.words import Words"),
        ("db.transfer.export", "from db.figures import counts\nfrom db.store.tables import Row\nimport sqlalchemy"),
        ("app.history.content", "from app.shell.session import text\nfrom app.figures import votes\nimport l2a.tagger"),
    ],
)
def test_a_door_that_is_open_is_left_alone(module, source):
    assert wrong_doors(source, module) == []
