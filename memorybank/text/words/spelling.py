"""How many slips of a writer are between two words.

`rapidfuzz` computes the same, but loading its libraries takes longer than comparing a word with the thousand words that begin like it.
"""


def slips_between(word: str, other: str, most: int) -> int:
    """Return the optimal string alignment distance of two words, or `most` + 1 if it is larger than `most`.

    A slip is a letter too many, a missing or a wrong letter, or two neighbours in the wrong order.
    """
    # A slip changes at most two of the letters that only one word contains. This rules out most words before letters are aligned.
    if abs(len(word) - len(other)) > most or len({*word} ^ {*other}) > 2 * most:
        return most + 1
    # The letters that both begin and end with need no alignment. Both ends of the rest differ, and one slip reaches both only in a rest this short.
    while word and other and word[0] == other[0]:
        word, other = word[1:], other[1:]
    while word and other and word[-1] == other[-1]:
        word, other = word[:-1], other[:-1]
    if most == 1 and max(len(word), len(other)) > 2:
        return most + 1
    earlier: list[int] = []
    before: list[int] = []
    row = [*range(len(other) + 1)]
    for at, letter in enumerate(word, 1):
        earlier, before, row = before, row, [at]
        for column, opposite in enumerate(other, 1):
            if letter == opposite:
                row.append(before[column - 1])
                continue
            distance = 1 + min(before[column], row[-1], before[column - 1])
            is_swapped = at > 1 and column > 1 and letter == other[column - 2] and word[at - 2] == opposite
            row.append(min(distance, earlier[column - 2] + 1) if is_swapped else distance)
        if min(row) > most and min(before) > most:
            return most + 1
    return row[-1] if row[-1] <= most else most + 1
