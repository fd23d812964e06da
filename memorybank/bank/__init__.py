"""The Python interface. Every command of the command line is a thin layer above it.

from memorybank import Bank
bank = Bank.open()
for hit in bank.search("why sqlite").hits:
    print(hit.key, hit.importance)
"""

from memorybank.bank.bank import Bank

__all__ = ["Bank"]
