"""Chooses the summarizer of a command, and asks once before texts leave this machine."""

import os
import sys
from typing import TYPE_CHECKING, NamedTuple

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.options import options_as
from memorybank.errors import ConfigInvalid, UsageError
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.summarize.choosing import SummarizerChoice


class SummarizerOptions(NamedTuple):
    """Values of the summarizer options; None for an option that was not given.

    agreed: whether `--yes` was given
    """

    summarizer: str | None
    model: str | None
    url: str | None
    agreed: bool

    def choose(self) -> "SummarizerChoice":
        """Return the summarizer from the options, then the environment, then the person's own settings; never from a bank."""
        from memorybank.summarize import choosing

        return choosing.choose(choosing.read_own(os.environ), os.environ, summarizer=self.summarizer, url=self.url, model=self.model)

    def configured(self) -> str:
        """Return the name of the summarizer that the person set up. What a weaker one writes is marked as a draft."""
        try:
            return self._replace(summarizer=None, model=None, url=None).choose().name
        except (ConfigInvalid, UsageError):
            return self.choose().name

    def must_ask(self, choice: "SummarizerChoice", call: CommandCall) -> bool:
        """Whether texts would leave this machine although nobody has agreed to it."""
        from memorybank.summarize import choosing, consent

        own = choosing.read_own(os.environ)
        return choice.leaves_by is not None and not consent.is_given(own.folder, call.layout().root, choice.leaves_by)

    def ask(self, choice: "SummarizerChoice", call: CommandCall, count: int, unit: str, characters: int) -> None:
        """Say which host would receive how many days or weeks and characters, and ask for consent once for each bank and host.

        unit: what `count` counts, `day` or `week`
        Raises `UsageError` when there is no terminal to ask on and `--yes` is missing.
        """
        from memorybank.summarize import choosing, consent

        assert choice.leaves_by is not None
        output.notice(f"{choice.name}: {counted(count, unit)}, about {characters:,} characters of recorded text would be sent to {choice.leaves_by}")
        if not self.agreed:
            if not sys.stdin.isatty():
                raise UsageError("nobody has agreed to send texts of this bank there", next_step="run the command in a terminal, or agree with --yes")
            click.confirm("Send them, now and in later runs for this bank?", abort=True, err=True)
        # Consent is kept with the person's own settings, never in the bank: a bank can come from somebody else.
        consent.give(choosing.read_own(os.environ).folder, call.layout().root, choice.leaves_by, call.clock)


summarizer_options = options_as(
    "chosen",
    SummarizerOptions,
    click.option(
        "--summarizer",
        metavar="S",
        help="extractive, llm, command, openai, gemini, anthropic, ollama, vllm, lmstudio. Default: your own settings, otherwise extractive.",
    ),
    click.option("--model", metavar="NAME", help="Model to use."),
    click.option("--url", metavar="URL", help="Address of the chat API. Default: that of --summarizer, or of your own settings."),
    click.option("--yes", "agreed", is_flag=True, help="Agree to send texts to the summarizer's host; needed once for each bank and host."),
)
