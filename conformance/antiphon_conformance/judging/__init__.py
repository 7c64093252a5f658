"""What an answer is worth: its message, its events, and when they came. Nothing here talks to an implementation."""
