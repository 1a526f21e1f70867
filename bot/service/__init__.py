"""What every channel needs and no channel owns: who may ask, limits, people, history."""
