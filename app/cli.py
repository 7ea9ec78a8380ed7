"""The command line of the store: `python -m app import | export | tags | stats | ...`; installed: `l2a-studio ...`.

Heavy modules are imported by the command that needs them, so `--help` answers at once; Streamlit is imported by `run`
only, and torch by `suggest` and `memory rebuild`.
"""

import argparse
import sys
from collections.abc import Sequence

from app.commands import memory, models, people, queue, retrain, run, stats, suggest
from app.commands.labels import diff, export, importing, redact, show, tags, undo
from app.commands.store import backup, check, migrate, prune, restore
from app.shell.messages import message
from db.errors import StoreError
from l2a import command_line
from l2a.command_line import run_command
from l2a.errors import L2AError

COMMANDS = {
    "run": run,
    "import": importing,
    "export": export,
    "diff": diff,
    "stats": stats,
    "show": show,
    "tags": tags,
    "undo": undo,
    "redact": redact,
    "queue": queue,
    "people": people,
    "models": models,
    "retrain": retrain,
    "suggest": suggest,
    "memory": memory,
    "backup": backup,
    "restore": restore,
    "migrate": migrate,
    "prune": prune,
    "check": check,
}


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments

    def parse() -> argparse.Namespace:
        _check_encoding(arguments)
        return build_parser().parse_args(arguments)

    return run_command("app", parse, (L2AError, StoreError), "interrupted; what was stored stays")


def build_parser() -> argparse.ArgumentParser:
    description = "The store of questions, tags and decisions: in, out, and everything between."
    return command_line.build_parser("app", description, COMMANDS)


def _check_encoding(arguments: Sequence[str]) -> None:
    """Refuse bytes that are not UTF-8: no database keeps them, and Python hands them over as broken characters."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError as error:
            raise L2AError(message("command.not_utf8", argument=argument)) from error
