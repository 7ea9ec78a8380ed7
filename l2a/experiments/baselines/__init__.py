"""The paper's three baselines (section 4.1): multi-label classifiers over the tags of the training questions."""
