"""The conformance kit for response templates: suite, runner, verdicts, reports, and the command line.

`suite.load_suite` reads the cases, `adapters.make_adapter` reaches an implementation, `runner.run_adapter` judges it;
`report` and `terminal` tell the outcome.
"""
