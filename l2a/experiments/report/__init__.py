"""What the results are written with: the output folder, tables, pictures, scores, claims, the document.

Used by the results and by the command line.
"""
