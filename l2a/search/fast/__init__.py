"""The search of `l2a.search.beam` arranged for speed around one network; tested against the reference.

Others import `fast_beam_search` (`beam`), `decoder_for` (`decoder`) and `is_available` (`quantised`).
"""
