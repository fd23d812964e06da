"""The import contracts of pyproject.toml hold, they cover every package, and ARCHITECTURE.md shows them."""

import re
import tomllib
from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]


def test_every_import_goes_downwards(monkeypatch, capsys):
    """The contract is exhaustive: a package without a layer fails, too."""
    monkeypatch.chdir(ROOT)
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0, capsys.readouterr().out


def test_the_map_shows_the_layers_of_the_contract():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    [layers] = [contract["layers"] for contract in contracts if contract["containers"] == ["memorybank"]]
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    [shown] = [block for block in re.findall(r"```\n(.*?)```", page, re.DOTALL) if block.startswith("__main__\n")]
    assert shown.splitlines() == layers


def test_the_map_has_a_row_for_every_package_and_module():
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = "\n".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| `"))
    parts = [path for path in sorted((ROOT / "memorybank").iterdir()) if not path.name.startswith("_")]
    names = [f"{path.name}/" if (path / "__init__.py").exists() else path.name for path in parts if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert [name for name in names if f"`{name}`" not in rows] == []
