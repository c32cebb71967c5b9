"""Pictures and pages: boards as text and SVG, reports as HTML; nothing here computes a value."""
