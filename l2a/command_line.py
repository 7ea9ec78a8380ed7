"""What the command lines `python -m l2a` and `python -m app` have in common: one parser a command, and how they end.

Results go to standard output, progress and complaints to standard error. Bad input ends with exit code 2 and one
line that says what to do.
"""

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

from l2a.errors import L2AError

SCRIPTS = {"l2a": "l2a", "app": "l2a-studio"}  # a package's command once it is installed (pyproject.toml)


def build_parser(name: str, description: str, commands: Mapping[str, ModuleType]) -> argparse.ArgumentParser:
    """A command is a module with HELP, EXAMPLE, add_arguments and run."""
    program = program_name(name)
    parser = argparse.ArgumentParser(prog=program, description=description)
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command, module in commands.items():
        described = subparsers.add_parser(
            command,
            help=module.HELP,
            description=f"{module.HELP[0].upper()}{module.HELP[1:]}.",
            epilog=f"example: {program} {command} {module.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(described)
        described.set_defaults(command=module.run)
    return parser


def program_name(name: str) -> str:
    """How this program was called: by its command, or as a package."""
    script = Path(sys.argv[0]).stem
    return script if script == SCRIPTS.get(name) else f"python -m {name}"


def run_command(
    name: str,
    parse: Callable[[], argparse.Namespace],
    errors: tuple[type[Exception], ...] = (L2AError,),
    interrupted: str = "interrupted",
) -> int:
    """Run what the arguments ask for; the exit code. `errors` are those whose text is meant for people."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")  # Chinese is UTF-8 whatever the terminal's language
    try:
        args = parse()
        code = args.command(args) or 0
        sys.stdout.flush()  # here, where a closed pipe is expected, not at the interpreter's end
        return code
    except errors as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"{name}: {error}. Check the path, and that you may read and write there.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{name}: {interrupted}", file=sys.stderr)
        return 130
