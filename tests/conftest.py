"""This folder is on the path of every test, so that they find what they share: `soaking`, `guide_blocks`."""
