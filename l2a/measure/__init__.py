"""Measures of suggested tags: the NLPCC score, bootstrap intervals, evaluation, what a model could write at all.

Others import any module here.
"""
