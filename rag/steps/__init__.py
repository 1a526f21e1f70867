"""The steps of the loop, one file each."""
