"""`python -m bench.vision`, the same as `./deploy/bench vision`."""

import sys

from bench.vision import main

main(sys.argv[1:])
