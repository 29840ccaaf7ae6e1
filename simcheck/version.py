"""The version of the installed distribution."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("articulate-simcheck")
except PackageNotFoundError:  # run from a source tree that was never installed
    VERSION = "0+unknown"
