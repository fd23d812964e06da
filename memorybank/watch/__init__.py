"""Keep the index up to date while somebody works: a door in the foreground that nothing depends on."""
