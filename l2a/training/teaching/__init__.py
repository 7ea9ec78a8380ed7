"""What the teacher of the silver labels learns from."""
