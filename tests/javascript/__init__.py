"""Tests of the port in JavaScript."""
