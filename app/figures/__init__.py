"""Numbers in, plotly figures out: pure functions, and the only place that knows plotly."""
