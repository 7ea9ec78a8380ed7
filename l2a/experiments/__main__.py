"""`python -m l2a.experiments`: the paper's tables and figures."""

import sys

from l2a.experiments.cli import main

sys.exit(main())
