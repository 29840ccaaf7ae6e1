"""A standard suite of articulated objects with verified kinematics, and the import of other libraries."""
