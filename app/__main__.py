"""`python -m app`: the store on the command line."""

import sys

from app.cli import main

sys.exit(main())
