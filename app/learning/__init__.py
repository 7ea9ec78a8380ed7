"""The learning loop: decisions become a training set, a candidate model, a comparison, and, if somebody says so, the
live model; old versions are given up, and a redacted question leaves the training sets too."""
