"""What charts in panels have in common: their height, and the legend above them."""

import plotly.graph_objects as go

HEIGHT = 250  # pixels


def sized(figure: go.Figure, height: int) -> go.Figure:
    figure.update_layout(
        height=height,
        margin={"l": 8, "r": 12, "t": 30, "b": 8},
        legend={
            "orientation": "h",
            "traceorder": "normal",  # stacked bars would be named from top to bottom
            "x": 0,
            "xanchor": "left",
            "y": 1,
            "yanchor": "bottom",
        },
    )
    return figure
