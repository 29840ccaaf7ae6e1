"""``python -m simcheck``."""

from simcheck.cli import main

main()
