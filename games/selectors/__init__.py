"""Every read of the games, one module per question."""
