"""Commands about the store itself: backup, restore, migrate, prune, check."""
