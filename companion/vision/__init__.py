"""From a picture of the table to an Observation."""
