"""How a bank is doing: the specification's metrics and alerts, derived from truth and from the lines that commands wrote."""
