# Everything here is for compiled callers.
