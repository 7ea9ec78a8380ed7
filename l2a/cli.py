"""The command line: `python -m l2a COMMAND`, a module of `l2a.commands` each.

Installed, it is called `l2a ...`. Heavy modules are imported by the command that needs them: `--help` answers at once.
"""

import argparse
from collections.abc import Sequence

from l2a import command_line
from l2a.command_line import run_command
from l2a.commands import evaluate, evidence, explain, ranker, silver, simulate, stats, suggest, train

COMMANDS = {
    "train": train,
    "evaluate": evaluate,
    "suggest": suggest,
    "explain": explain,
    "stats": stats,
    "silver": silver,
    "evidence": evidence,
    "ranker": ranker,
    "simulate": simulate,
}


def main(arguments: Sequence[str] | None = None) -> int:
    return run_command("l2a", lambda: build_parser().parse_args(arguments))


def build_parser() -> argparse.ArgumentParser:
    return command_line.build_parser("l2a", "Suggest tags for Chinese questions, word by word.", COMMANDS)
