"""Chat models by role, and the embedded one."""
