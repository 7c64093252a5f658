"""Tests of the playground, of its runtime and bridge, of the npm package, and of `antiphon serve`."""
