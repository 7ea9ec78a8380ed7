"""The command line: `python -m l2a train | evaluate | suggest | explain | stats | silver`.

Results go to standard output, progress and complaints to standard error. Bad input ends with exit code 2 and one
line that says what to do. Heavy modules are imported by the command that needs them, so `--help` answers at once.
"""

import argparse
import os
import sys
from collections.abc import Sequence

from l2a.commands import evaluate, explain, silver, stats, suggest, train
from l2a.errors import L2AError

COMMANDS = {
    "train": train,
    "evaluate": evaluate,
    "suggest": suggest,
    "explain": explain,
    "stats": stats,
    "silver": silver,
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = build_parser()
    args = parser.parse_args(arguments)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8 whatever the terminal's language
    try:
        code = args.command(args) or 0
        sys.stdout.flush()  # here, where a closed pipe is expected, not at the interpreter's end
        return code
    except L2AError as error:
        print(f"l2a: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"l2a: {error}. Check the path, and that you may read and write there.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("l2a: interrupted", file=sys.stderr)
        return 130


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m l2a", description="Suggest tags for Chinese questions, word by word."
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        described = subparsers.add_parser(
            name,
            help=command.HELP,
            description=f"{command.HELP[0].upper()}{command.HELP[1:]}.",
            epilog=f"example: python -m l2a {name} {command.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(described)
        described.set_defaults(command=command.run)
    return parser
