"""The local page of a bank: `memorybank ui`. Every view renders a value of the facade, every button is the same call as the command."""
