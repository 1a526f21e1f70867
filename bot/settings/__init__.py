"""The settings: `tree` declares them, `names` says what each is called, `faults` explains wrong values."""
