"""Makes the random secrets and the ordinary lines in this folder importable by name."""

import os
import sys

path = os.path.dirname(os.path.abspath(__file__))
if path not in sys.path:
    sys.path.insert(0, path)
