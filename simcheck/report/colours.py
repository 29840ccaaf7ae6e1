"""Colours that figures, pictures and pages share; none of them needs colour vision to be told apart."""

INK = "#010203"  # practically black in print; a page replaces it by its own text colour
MUTED = "#868d96"  # readable on white and on near black
TRUTH = "#2b6fd4"
PREDICTION = "#e0561b"
HIGHLIGHT = "#d6336c"
TRUTH_BODY = "#8db2ea"
PREDICTION_BODY = "#f0853f"
FIXED = "#b4bac2"  # links that do not move
