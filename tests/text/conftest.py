"""The drawn secrets and ordinary lines beside these tests are importable by name."""

import os
import sys

path = os.path.dirname(os.path.abspath(__file__))
if path not in sys.path:
    sys.path.insert(0, path)
