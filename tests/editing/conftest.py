import sys
from pathlib import Path

for folder in ("crash", "rotation"):
    path = str(Path(__file__).resolve().parents[1] / folder)
    if path not in sys.path:
        sys.path.insert(0, path)
