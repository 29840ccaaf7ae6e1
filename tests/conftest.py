"""Settings of all tests: random tests draw the same examples everywhere."""

from hypothesis import settings

settings.register_profile("simcheck", derandomize=True, deadline=None)
settings.load_profile("simcheck")
