"""What else speaks for a tag besides the hypotheses: listed tags in the text, similar questions, a linear model.

Others import `retriever`; `literal` is used by the silver labels too.
"""
