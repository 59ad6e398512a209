"""12. Settings: what people may choose, the one table that defines it, and the screen made from that table."""
