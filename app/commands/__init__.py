"""One module a command: HELP and EXAMPLE for `--help`, `add_arguments(parser)` and `run(args)`."""
