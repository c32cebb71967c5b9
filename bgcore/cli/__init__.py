"""The command line. Nothing here is imported by the library, and start-up imports neither numpy nor rich."""
