"""The learning loop: decisions become a training set, a candidate model, a comparison, and, if somebody says so, the
live model."""
