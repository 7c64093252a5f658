"""What runs came to: the report document, its figures, timelines and trends, and the forms in which people see them.

files.py knows the forms by suffix; each has its module.
"""
