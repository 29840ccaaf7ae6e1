"""What people look at: house figures, one self-contained HTML page, pictures of motions.

Everything here takes plain data and knows nothing of the rest of simcheck. matplotlib, jinja2 and pillow are imported
by the modules that need them; import those modules where a report is written, not at the start of a program.

style, figures      matplotlib figures, saved repeatably and made fit for a page
page, columns       the HTML page, its sections and its sortable table; the same sections for a notebook
template            templates, what a page may run, packed data
provenance          where the numbers of a result come from
raster, motion      pictures of articulated objects without a display
"""
