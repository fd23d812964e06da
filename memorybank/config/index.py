"""`index_config.json`: keywords, stop words, how fresh an answer must be, and what is published. The specification only shows the two
blocks of keyword_index.json that it fills (`keyword_extraction`, `stop_words`)."""

from __future__ import annotations

__light__ = True

from memorybank.config.group import SettingsGroup
from memorybank.config.keys import count, number, switch, whole, words
from memorybank.values import Value

# The default stop words of both languages in the form in which they are compared: lower case, before stemming. The first ten are the
# specification's sample. Japanese text is matched by bigrams, so a Japanese stop word is a function word of one or two kana, or a longer one
# whose bigrams mean nothing else. Content words are never stop words.
_ENGLISH = """
the a an and or but in on at to
about above after again against all also am any are as be because been before being below between both by
can could did do does doing done down during each either else ever every few for from further
had has have having he her here hers herself him himself his how however
i if into is it its itself just me more most my myself
no nor not now of off once only other our ours ourselves out over own
same she should so some such than that their theirs them themselves then there these they this those through too
under until up us very was we were what when where whether which while who whom whose why will with within would
you your yours yourself yourselves
isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't hadn't
i'm i've i'd i'll you're you've it's that's there's let's we're we've they're
"""
_JAPANESE = """
は が を に で と も の へ や か な ね よ
です ます でし まし した して する され れる られ せる ある あり いる いた なる なり なっ ない なく
こと もの ため とき ところ から まで より など ほど だけ しか ても でも では には へは とは との での への
この その あの どの これ それ あれ どれ ここ そこ どこ そして また および または ので のに けど
について における によって により として という といった ている ています ました ません でした
"""
STOP_WORDS = tuple(dict.fromkeys((_ENGLISH + _JAPANESE).split()))


class KeywordOptions(Value):
    """The settings for keyword extraction and query parsing."""

    min_frequency: int
    max_keywords_per_file: int
    weight_boost_keywords: tuple[str, ...]
    stop_words: tuple[str, ...]
    snippets_per_file: int
    snippet_characters: int


class KeywordExtraction(SettingsGroup):
    min_frequency: int = whole(2, "Minimum occurrences of a keyword; words of the title, headings and tags need only one.", minimum=1, maximum=1000)
    max_keywords_per_file: int = whole(20, "Maximum number of keywords of one note.", minimum=0, maximum=1000)
    weight_boost_keywords: tuple[str, ...] = words(("TODO", "FIXME", "NOTE", "WARNING", "ERROR"), "Keywords whose weight is multiplied by 1.5.")


class FreshnessSettings(SettingsGroup):
    max_sweep_notes: int = count(
        2000, "Maximum number of notes up to which a command checks every file; in a larger bank it checks folders and the hits it shows."
    )
    max_age_seconds: float = number(
        10, "Age of the last complete check after which every file of a larger bank is checked again.", minimum=0, maximum=31_536_000
    )
    racy_window_ms: int = whole(20, "A file that changed within this time before it was read is read again next time.", minimum=0, maximum=60_000)


class PublishSettings(SettingsGroup):
    after_update: bool = switch(True, "`index --mode full|incremental` writes the four JSON documents; false: only with `--publish`.")
    snippets_per_file: int = whole(3, "Context snippets of a keyword in one note; they make up most of keyword_index.json.", minimum=0, maximum=100)
    snippet_characters: int = whole(80, "Maximum length of a snippet in characters.", minimum=10, maximum=1000)


class Monitoring(SettingsGroup):
    search_mean_ms: float = number(200, "Mean time (ms) of the last 100 searches above which the alert `search_slow` is raised.", above=0, maximum=3_600_000)


class IndexSettings(SettingsGroup):
    keyword_extraction: KeywordExtraction = KeywordExtraction()
    stop_words: tuple[str, ...] = words(STOP_WORDS, "Words that are never keywords and are dropped from queries.")
    freshness: FreshnessSettings = FreshnessSettings()
    publish: PublishSettings = PublishSettings()
    monitoring: Monitoring = Monitoring()

    @property
    def keywords(self) -> KeywordOptions:
        """The settings for keywords, in the form that the text package takes."""
        extraction, publish = self.keyword_extraction, self.publish
        return KeywordOptions(
            extraction.min_frequency,
            extraction.max_keywords_per_file,
            extraction.weight_boost_keywords,
            self.stop_words,
            publish.snippets_per_file,
            publish.snippet_characters,
        )
