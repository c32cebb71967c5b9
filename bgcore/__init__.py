"""bgcore."""
