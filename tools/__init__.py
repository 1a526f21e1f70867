"""What generates documentation and shows the product. Not part of the installed package."""
