"""`python -m l2a`: the engine on the command line."""

import sys

from l2a.cli import main

sys.exit(main())
