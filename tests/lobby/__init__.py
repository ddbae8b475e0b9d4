"""Tables for people: how they come together, look on, and talk."""
