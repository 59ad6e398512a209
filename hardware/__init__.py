"""The devices on the table: camera, panel, and the simulated table that stands in for them."""
