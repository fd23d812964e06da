"""The local page of a bank (`memorybank ui`). Every view renders a value of the facade, and every button makes the same call as the command."""
