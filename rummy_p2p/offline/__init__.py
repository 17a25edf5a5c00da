"""The game without a network: one match in one process, positions from files, the best arrangement of a hand."""
