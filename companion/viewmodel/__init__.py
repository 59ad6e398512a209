"""What each screen shows, as plain values, and what a touch means."""
