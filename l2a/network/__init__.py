"""The paper's network (section 3.2): `model` is the whole, in one sitting; `encoders`, `decoder`, `layers` its parts.

Knows numbers only: no text is cut, searched or looked up here. Others import `L2AModel` and `Memory` (`model`).
"""
