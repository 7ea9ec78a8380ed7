"""What several commands share: the store, who acts, the question before a change, kinds of values, progress bars."""

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol, TypeVar

from app.places import DATA, IS_INSTALLED
from app.shell import clock
from app.shell.messages import message
from app.shell.settings import Settings
from db.errors import NotFound, Refused

BIGGEST_ID = 2**63 - 1
BIGGEST_COUNT = 2**31 - 1
LONGEST_AGE = 36_500  # days


class _FromFile(Protocol):
    """A row that knows which line of its file it was."""

    @property
    def line(self) -> int: ...


Row = TypeVar("Row", bound=_FromFile)


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    where = f"{DATA}/l2a.db".replace("%", "%%") if IS_INSTALLED else "data/l2a.db in the project's folder"
    parser.add_argument("--database", metavar="URL", help=f"the store (default: L2A_DATABASE, or {where})")
    parser.add_argument("--as", dest="name", metavar="NAME", help="who does it (default: your user name)")
    parser.add_argument("--quiet", action="store_true", help="no progress bars and no notices")


def add_dry_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="only say what would happen")


def add_yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask first")


def add_skip_bad(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--skip-bad", action="store_true", help="leave bad lines out and count them")


def add_actions(parser: argparse.ArgumentParser):
    """The place for the actions of a command that has several: see `add_action`."""
    return parser.add_subparsers(required=True, metavar="ACTION")


def add_action(actions, name: str, summary: str, act: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
    """The parser of one action; the command's `run` calls `act`."""
    parser = actions.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
    add_common_arguments(parser)
    parser.set_defaults(action=act)
    return parser


def read_settings(args: argparse.Namespace) -> Settings:
    settings = Settings.from_environment()
    return replace(settings, database=args.database) if args.database else settings


def open_store(args: argparse.Namespace):
    """The store, ready for use; use it as a context."""
    from app.shell.store import open_store

    return open_store(read_settings(args), teller(args))


def find_person(store, args: argparse.Namespace, action: str | None = None) -> int:
    """The number of the person who acts. In a store without people they become its first admin.

    Raises NotFound for somebody unknown, and Refused for somebody whose role does not allow the action (db.people).
    """
    from db import people

    def find(session) -> tuple[int, str | None]:
        if not people.everyone(session):
            first = people.add(session, args.name or _user_name(), "admin")
            return first.id, first.name
        return people.require(session, _find(session, args).id, action).id, None

    person_id, first = store.run(find)
    if first is not None:
        say(args, f"The store had no people; {first} is its first admin now.")
    return person_id


def check_reader(store, args: argparse.Namespace, action: str) -> None:
    """Raises NotFound or Refused unless whoever reads may (db.access); a store without people has nothing to hide."""
    from db import people

    with store.read() as session:
        if people.everyone(session):
            people.require(session, _find(session, args).id, action)


def may_read(store, args: argparse.Namespace, action: str) -> bool:
    """Whether whoever reads may see this too. Somebody unknown may not, and is told how to say who they are."""
    from db.errors import StoreError

    try:
        check_reader(store, args, action)
    except StoreError as error:
        say(args, f"Names are left out: {error}")
        return False
    return True


def _find(session, args: argparse.Namespace):
    from db import people

    try:
        return people.find(session, args.name or _user_name())
    except NotFound as error:
        if "--as NAME" in str(error):
            raise
        raise NotFound(message("command.say_who", error=error)) from error


def _user_name() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError) as error:
        raise NotFound(message("command.no_user_name")) from error


def confirm(args: argparse.Namespace) -> bool:
    """Ask whether to go on; raises Refused where nobody can be asked."""
    if args.yes:
        return True
    if not sys.stdin.isatty():
        raise Refused(message("command.no_terminal"))
    print("Go on? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    print("Nothing was changed.", file=sys.stderr)
    return False


def say(args: argparse.Namespace, message: str) -> None:
    """A notice that nobody has to act on."""
    if not args.quiet:
        print(message, file=sys.stderr)


def teller(args: argparse.Namespace) -> Callable[[str], None]:
    return lambda message: say(args, message)


def complain(number: int, messages: Sequence[object]) -> None:
    """Say which lines were left out; `messages` holds the first of them."""
    if number:
        print(f"{number:,} bad lines left out:", file=sys.stderr)
        for message in messages:
            print(f"  {message}", file=sys.stderr)
        if number > len(messages):
            print(f"  and {number - len(messages):,} more", file=sys.stderr)


def mention(notes: Sequence[object]) -> None:
    """Say what stands in a file and was not read, though it may have been meant."""
    for note in notes:
        print(note, file=sys.stderr)


def stopped(error: Exception) -> None:
    """Say at which line an import stopped, and what one can do."""
    print(
        f"app: {error} Correct the line and run it again, or pass --skip-bad to leave such lines out.",
        file=sys.stderr,
    )


def preview(rows: Sequence[Row], describe: Callable[[Row], tuple[str, Sequence[str]]]) -> None:
    """The first rows of a file as they were read: `describe` gives a row's text and what stands in brackets."""
    for row in rows:
        shown, chips = describe(row)
        line = " ".join([shorten(shown), *(f"[{printable(chip)}]" for chip in chips)])
        print(f"  line {row.line}: {line}")


def shorten(text: str, longest: int = 60) -> str:
    text = printable(" ".join(text.split()))
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def printable(text: str) -> str:
    """A text without the characters that would move a terminal's cursor or change its colours."""
    return "".join(c if c.isprintable() else "�" for c in text)


def progress_bar(args: argparse.Namespace, **options):
    from tqdm import tqdm

    return tqdm(disable=args.quiet, **options)


def follow(bar) -> Callable[..., None]:
    """A callback for `progress=`: (done) or (done, total)."""

    def move(done: int, total: int | None = None) -> None:
        if total is not None:
            bar.total = total
        bar.update(done - bar.n)

    return move


def whole_number(text: str, least: int = 1, most: int = BIGGEST_ID) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}, or too large")
    return int(text)


def count(text: str) -> int:
    return whole_number(text, most=BIGGEST_COUNT)


def share(text: str) -> float:
    return number_up_to(text, 1.0)


def days(text: str) -> float:
    return number_up_to(text, LONGEST_AGE)


def number_up_to(text: str, most: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {most:,g}")
    return value


def moment(text: str) -> datetime:
    """A time with its zone: ISO 8601. Without a zone it is local time; a date alone is the midnight it begins with."""
    try:
        return clock.read_moment(text)
    except (ValueError, OverflowError, OSError) as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a date such as 2026-01-31 or a time such as 2026-01-31T18:00:00+08:00"
        ) from error


def show_time(time: datetime) -> str:
    """A time as the reader's clock has it."""
    return clock.with_offset(time, sep=" ")
