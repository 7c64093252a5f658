"""Real implementations over the whole suite: the stored report, and what of it is explained by which fault.

`python -m results` (`make results`) runs them anew; the tests hold the explanations against the stored report.
"""
