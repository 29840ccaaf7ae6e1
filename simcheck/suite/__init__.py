"""A standard suite of articulated objects with verified kinematics, and the import of other libraries.

`generate_suite` makes objects by category (`simcheck.suite.categories`), `import_library` brings URDFs of others into
the same form. A category is a function that draws parameters and builds parts (`builder`, `parts`, `materials`,
`draw`); `assembly` puts the object down, `sweep` proves that nothing collides while one joint moves, `combinations`
tries all of them at once, `writing` writes it, `checking` reads it back and drives it in PyBullet.
"""

from simcheck.suite.generate import Suite, generate_suite, suite_files
from simcheck.suite.importing import Library, import_library

__all__ = ["Library", "Suite", "generate_suite", "import_library", "suite_files"]
