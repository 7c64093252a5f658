"""Antiphon in the browser: the bridge between JavaScript and the kit, and the server of the built page."""
