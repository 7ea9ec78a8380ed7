"""The paper's network (section 3.2), readable in one sitting: `model`, `positions`, copying, initial word vectors.

Knows numbers only: no text is cut, searched or looked up here.
"""
