"""From question files to a trained model: `run` is the front door, `loop` trains, `growth` takes up a trained model.

Nothing that only suggests imports from here.
"""
