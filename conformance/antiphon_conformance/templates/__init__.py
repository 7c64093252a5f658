"""What the commands about one template do, with the reference and with the portability package."""
