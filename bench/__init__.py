"""Measurements: `make bench` prints JSON objects with `bench`, `value`, `target`, `ok`, and what explains them."""
