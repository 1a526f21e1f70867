"""Tools that generate documentation and demonstrate the product. Not part of the installed package."""
