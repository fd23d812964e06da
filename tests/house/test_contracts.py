"""The import contracts of pyproject.toml hold, and they cover every package."""

from pathlib import Path

from importlinter.cli import lint_imports

ROOT = Path(__file__).resolve().parents[2]


def test_every_import_goes_downwards(monkeypatch, capsys):
    """The imports follow the layers of ARCHITECTURE.md. The contract is exhaustive: a package without a layer fails, too."""
    monkeypatch.chdir(ROOT)
    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0, capsys.readouterr().out
