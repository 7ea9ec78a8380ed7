"""What the ledger needs to know of tags: when two spellings are one, which tag a spelling means, how a tag first comes.

From outside any module here. Changes of tags are above the ledger, in `db.tags`.
"""
