"""``python -m rummy_p2p`` is ``rummy-p2p``."""

import sys

from rummy_p2p.cli import main

if __name__ == "__main__":
    sys.exit(main())
