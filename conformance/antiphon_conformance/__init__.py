"""The conformance kit for response templates: suite, runner, verdicts, reports, and the command line.

`cases.suite.load_suite` reads the cases, `implementations.known.make_adapter` reaches an implementation, and
`runs.runner.run_adapter` judges it; `reports` and `terminal` tell the outcome.
"""
