"""Commands about questions, tags and labels: in, out, shown, compared, taken back, redacted."""
