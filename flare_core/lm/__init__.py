"""Language models: one adapter for OpenAI-compatible endpoints, one server inside the process."""
