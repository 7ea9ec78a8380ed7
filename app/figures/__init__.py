"""Every figure: plain values and words in, figures out; the only place that knows Plotly. No Streamlit, no store.

`heatmap` describes a heatmap, `heatmap_screen` draws it by Plotly and `heatmap_files` by matplotlib, into files.
`colours`, `labels`, `axes` and `layout` are what all have in common.
"""
