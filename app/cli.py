"""The command line of the store: `python -m app import | export | tags | stats | ...`.

Results go to standard output, progress and complaints to standard error. Bad input ends with exit code 2 and one
line that says what to do. Heavy modules are imported by the command that needs them, so `--help` answers at once;
Streamlit is never imported, and torch only by `suggest`.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from app.commands import (
    backup,
    check,
    diff,
    export,
    importing,
    migrate,
    models,
    people,
    prune,
    queue,
    redact,
    restore,
    retrain,
    show,
    stats,
    suggest,
    tags,
    undo,
)
from db.errors import StoreError
from l2a.errors import L2AError

COMMANDS = {
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
    "backup": backup,
    "restore": restore,
    "migrate": migrate,
    "prune": prune,
    "check": check,
}


def main(arguments: Sequence[str] | None = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # Chinese is UTF-8 whatever the terminal's language
    try:
        _check_encoding(arguments)
        args = build_parser().parse_args(arguments)
        code = args.command(args) or 0
        sys.stdout.flush()  # here, where a closed pipe is expected, not at the interpreter's end
        return code
    except (L2AError, StoreError) as error:
        print(f"app: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"app: {error}. Check the path, and that you may read and write there.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("app: interrupted; what was stored stays", file=sys.stderr)
        return 130


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m app", description="The store of questions, tags and decisions: in, out, and everything between."
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        described = subparsers.add_parser(
            name,
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
            epilog=f"example: python -m app {name} {command.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(described)
        described.set_defaults(command=command.run)
    return parser


def _check_encoding(arguments: Sequence[str]) -> None:
    """Refuse bytes that are not UTF-8: no database keeps them, and Python hands them over as broken characters."""
    for argument in arguments:
        try:
            argument.encode("utf-8")
        except UnicodeEncodeError as error:
            raise L2AError(f"{argument!a}: not UTF-8. Type it in a terminal that uses UTF-8.") from error
