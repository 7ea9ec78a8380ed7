"""The colours of all figures; those without a ground of their own are readable on the light and on the dark one."""

ACCENT = "#1f8a78"
QUIET = "#9aa5a3"
LINE = "#d08a2e"  # what is compared with
BLUE, PINK = "#5b7fb5", "#a3667e"
PEOPLE = (ACCENT, LINE, BLUE, PINK, "#7c8f3f", "#8c7bb0", "#4f9fb0", QUIET)

# Heatmaps: one hue, from the page's ground to its far end: more is darker on paper, brighter on a dark screen.
LIGHT_SCALE = ("#f1f6f4", "#5aa796", "#06382f")
DARK_SCALE = ("#1c2423", "#2f8f7d", "#c9f5ea")
INK, LIGHT_INK = "#1d2524", "#e4e9e7"  # of labels on the light ground, on the dark one
GREY = "#8a9693"  # thin lines
