"""What the screens are drawn from: pure functions from values to SVG fragments, in u, y down."""
