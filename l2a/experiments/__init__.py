"""The paper's experiments: `python -m l2a.experiments NAME --data DIR` gives its tables and figures for one's own data.

`cli` is the front door; `catalogue` says which experiment needs which trained models; one module an experiment turns
their answers into a table and a picture; `claims` and `report` gather everything. docs/experiments.md has the rest.
"""
