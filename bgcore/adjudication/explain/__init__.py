"""Explanations of a verdict in plain words, for players, support and auditors."""
