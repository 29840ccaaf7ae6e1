"""One module a super-category, one function a category (`simcheck.suite.catalogue.category` registers it)."""
