"""Chat models by role, and the embedded model."""
