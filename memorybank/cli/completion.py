"""`memorybank completion`."""

import click

from memorybank.cli import output
from memorybank.cli.help import examples


@click.command(
    epilog=examples(
        'eval "$(memorybank completion bash)"                       in ~/.bashrc',
        'eval "$(memorybank completion zsh)"                        in ~/.zshrc',
        "memorybank completion fish > ~/.config/fish/completions/memorybank.fish",
    )
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a completion script for your shell. It completes commands, options and note keys."""
    from click.shell_completion import get_completion_class

    from memorybank.cli.main import COMPLETION_VARIABLE, PROGRAM, root

    completion = get_completion_class(shell)
    assert completion is not None, "click knows these three shells"
    output.write(completion(root, {}, PROGRAM, COMPLETION_VARIABLE).source() + "\n")
