"""The live model for everybody: which one answers, who waits, what if its folder changed, GET /health."""
