"""One module an experiment of the paper; `l2a.experiments.catalogue` lists them.

Nobody else imports from here.
"""
