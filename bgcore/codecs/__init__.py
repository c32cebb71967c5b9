"""Texts of other programs in and out: identifiers of positions and matches, and match records."""
