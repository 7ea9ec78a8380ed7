"""The screen Import and queue: files that come in, the queue, people, models; redaction of files."""
