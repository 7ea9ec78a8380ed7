"""What people read about who may do what is what the program does."""

from pathlib import Path

from db.access import ALLOWED, allows
from db.store.tables import ROLES

ROOT = Path(__file__).resolve().parents[2]


def _table() -> list[list[str]]:
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = text.split("| may |", 1)[1].split("\n\n", 1)[0].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_table_in_the_docs_is_the_one_of_the_program():
    heads, _, *rows = _table()
    assert tuple(heads[:3]) == ROLES
    said = {action: cells for action, *cells in rows}
    assert {action: cells[:3] for action, cells in said.items()} == {
        action: ["yes" if allows(role, action) else "no" for role in ROLES] for action in ALLOWED
    }
    assert all(cells[3] for cells in said.values())  # where one does it


def test_the_readme_says_the_same_in_a_sentence():
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    sentence = readme.split("Moderators decide", 1)[1].split("[who may see and do what]", 1)[0]
    moderators, researchers, admins = f"Moderators decide{sentence}".split(";")
    for words, part, action in (
        ("see others' labels", researchers, "see others' labels"),
        ("review", researchers, "review"),
        ("import", researchers, "import questions"),
        ("export", researchers, "export labels"),
        ("change tags and the queue", researchers, "change tags"),
        ("change tags and the queue", researchers, "change the queue"),
        ("change models and people", admins, "change models"),
        ("change models and people", admins, "change people"),
        ("redact", admins, "redact"),
        ("their own decisions", moderators, "see and take back one's own decisions"),
        ("the team's totals", moderators, "see the team's totals"),
    ):
        assert words in part
        first = "moderator" if part is moderators else "researcher" if part is researchers else "admin"
        assert ALLOWED[action][0] == first
