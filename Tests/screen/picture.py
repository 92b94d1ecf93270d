"""Draws what a terminal shows."""
