"""Quality, measured: verdicts, retrieval and answers on labelled sets."""
