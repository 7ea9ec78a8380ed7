"""The words of the interface, one module a page: every text a page shows has one key, in Chinese and English."""
