"""The facade: what a Python user imports, and what every command of the command line is a thin view of.

from memorybank import Bank
bank = Bank.open()
for hit in bank.search("why sqlite").hits:
    print(hit.key, hit.importance)
"""

from memorybank.bank.bank import Bank

__all__ = ["Bank"]
