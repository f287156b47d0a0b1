"""The report: a fold over the log, its citations, its text."""
