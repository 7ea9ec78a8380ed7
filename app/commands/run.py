"""`python -m app run`: the app itself, on this machine. Everything else about the server is Streamlit's to say."""

import argparse

from app.commands.shared import whole_number
from app.places import LAUNCHER

HELP = "start the app"
EXAMPLE = "--port 8600"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=port, help="the port it listens on (default: 8501)")
    parser.add_argument(
        "options",
        nargs="*",
        metavar="-- OPTION",
        help="options of `streamlit run`, such as -- --server.headless true",
    )


def port(text: str) -> int:
    return whole_number(text, most=65_535)


def run(args: argparse.Namespace) -> int:
    from streamlit.web import cli

    own = ["--server.port", str(args.port)] if args.port else []
    cli.main(["run", str(LAUNCHER), *own, *args.options], prog_name="streamlit")  # ends the program itself
    return 0
