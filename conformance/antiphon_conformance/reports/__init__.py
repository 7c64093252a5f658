"""What runs came to, and how people see it.

From what to what, each module only using those before it:

* `timeline.py`: what was due beside what came, in one run; `document.py`: the report, which holds that of all runs
* `figures.py`: what a report comes to, in numbers; `verdicts.py`: in words; `matrix.py`: case by case;
  `trend.py`: from one implementation to the next
* `files.py`: the forms by their suffixes, made of a `content.py`: `markdown.py`, `junit.py`, `badge.py`, and `page.py`
  with `page_data.py`, `plot.py` and the files in `html/`
* `summary.py`, `remarks.py`, `side_by_side.py`: the same on a terminal
* `reporting.py`, `trending.py`, `explaining.py`: what the commands do
"""
