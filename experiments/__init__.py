"""The experiments: one module for each figure or table of the paper, and `figures/` with the pictures README shows."""
