"""What is remembered of how a table looks and reads, so that the next picture of it is understood better.

In: what is to stand where, pictures while all was as it should be, and the spots that people said are as they should
be whatever is read there. Out: the next picture with what is known of its errors put right (`inform`), and the spots
whose readings prove nothing (`distrusted`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.rules.layout import Colour
from companion.table.evidence import DOUBT, Evidence, is_same_light
from companion.table.tally import NOTHING, Span, Spot, Tally

_LOOKS = 8
"""So many looks of a spot are remembered."""

_RATHER_SURE = 0.8
"""So sure a reading has to be for a new look to be remembered. Who stands on ground, or sits in a boat, a little like
his own colour is not read at 0.9 (`vision.camouflage`), at a table where that did harm at 0.88; where it is much like
it, at less than this, and nothing is remembered."""


class Recall:
    """What is remembered of one table, on which `expected` is to stand and people play in these colours."""

    def __init__(self, expected: Mapping[Spot, Tally], colours: Collection[Colour]) -> None:
        self._colours = colours
        self.expected = expected
        """What is to stand there, until `expect` says otherwise."""
        self._misread: dict[Spot, Tally] = {}
        self._lacking: dict[Spot, Tally] = {}  # what stands there besides what is read
        self._stood: dict[Spot, dict[Tally, float]] = {}  # readings that were no reason for anything, how sure at first
        self._looks: dict[Spot, deque[int]] = {}  # of spots while all was as it should be
        self._calm: dict[Spot, int] = {}  # when it was so last, in this light
        self._read: dict[Spot, Sequence[tuple[Tally, float]]] = {}  # the two best readings then, the first one right

    @property
    def misread(self) -> Mapping[Spot, Tally]:
        """Where people said that the table is as it should be, and what read there then."""
        return self._misread

    def expect(self, expected: Mapping[Spot, Tally]) -> None:
        """From now on something else is to stand there: nothing holds any more of the spots that change.

        But who was not read, and is still to stand there, will not be read.
        """
        for spot in expected.keys() | self.expected.keys():
            new = expected.get(spot, NOTHING)
            if self.expected.get(spot, NOTHING) == new:
                continue
            self._misread.pop(spot, None)
            self._stood.pop(spot, None)
            self._read.pop(spot, None)
            self._looks.pop(spot, None)
            if any(n < lacking for n, lacking in zip(new, self._lacking.get(spot, ()), strict=False)):
                del self._lacking[spot]
        self.expected = expected

    # What it learns

    def learn(self, evidence: Evidence, pictures: Sequence[Evidence], spots: Iterable[Spot]) -> None:
        """All is as it should be on these spots: what reads otherwise is misread, how the rest looks is known now.

        `evidence` is of the `pictures`, the latest last, which are as they were read.
        """
        latest, informed = pictures[-1], [self._known(picture) for picture in pictures]
        self._calm = {**(self._calm if is_same_light(latest.looks, self._calm) else {}), **latest.looks}
        for spot in spots:
            shown, expected = evidence.best(spot), self.expected.get(spot, NOTHING)
            if shown != expected:
                self._stood.setdefault(spot, {}).setdefault(shown, evidence.sureness(spot))
            if latest.seen(spot):
                self._read[spot] = latest.ranked[spot][:2] if latest.best(spot) == expected else ()
            if any(n < 0 for n in self._lacking.get(spot, ())) and latest.is_clearly(spot, expected):
                del self._lacking[spot]  # what was read for nothing is so no more
            for picture in informed:
                if self._is_worth_remembering(spot, picture):
                    self._remember_look(spot, picture)

    def learn_said(self, evidence: Evidence, pictures: Sequence[Evidence], said: Mapping[Spot, Span]) -> None:
        """People said what these spots show, whatever they look like. `pictures` are as they were read."""
        unaided = Evidence.mean(pictures)
        for spot, bounds in said.items():
            if evidence.misfit(spot, bounds) <= DOUBT:
                continue
            self._misread[spot] = evidence.best(spot)
            read = unaided.best(spot)
            self._lacking[spot] = tuple(n - m for n, m in zip(_nearest(read, bounds), read, strict=True))
            for picture in pictures:
                self._remember_look(spot, picture)

    def _is_worth_remembering(self, spot: Spot, picture: Evidence) -> bool:
        """True if a spot looks there as it does while it shows what is expected.

        A look that is new on a spot that has not been touched, for all we know, may show that it has.
        """
        known, expected = self._looks.get(spot, ()), self.expected.get(spot, NOTHING)
        if picture.looks.get(spot, 0) in known or picture.is_clearly(spot, expected, _RATHER_SURE):
            return True
        if known:
            return False
        as_expected = picture.seen(spot) and picture.best(spot) == expected
        return as_expected or picture.is_unclear_about([spot])

    def _remember_look(self, spot: Spot, picture: Evidence) -> None:
        if look := picture.looks.get(spot, 0):
            looks = self._looks.setdefault(spot, deque(maxlen=_LOOKS))
            if look in looks:
                looks.remove(look)  # the one longest not seen goes first
            looks.append(look)

    # What it knows

    def inform(self, picture: Evidence) -> Evidence:
        """A picture, with what is known of its errors; what looks as it did while all was well is as it should be."""
        return self._known(picture.steadied(self._read))

    def _known(self, picture: Evidence) -> Evidence:
        """But for doubts that have not changed: no look is remembered for one of these."""
        return self._compare(picture.correcting(self._lacking, self.expected))

    def _compare(self, picture: Evidence) -> Evidence:
        return picture.recalling(self._looks, self.expected, self._calm).among(self._colours)

    def still_misread(self, picture: Evidence) -> list[Spot]:
        """Where people said that the table is as it should be, and a picture says otherwise.

        It is as it was read; only what looks as it did while all was well counts as it should be.
        """
        seen = self._compare(picture)
        return [s for s in self._misread if seen.seen(s) and seen.best(s) != self.expected.get(s, NOTHING)]

    def distrusted(self, evidence: Evidence) -> set[Spot]:
        """The spots that people said are misread, and those that read as they did when all was as it should be.

        But what was in doubt then and is clear now is news.
        """
        return self.standing(evidence) | self._misread.keys()

    def standing(self, evidence: Evidence) -> set[Spot]:
        """The spots that read as they did when all was as it should be, and no clearer, which is not as expected."""
        seen = evidence.spots & self._stood.keys()
        return {spot for spot in seen if evidence.is_no_clearer(spot, self._stood[spot])}


def _nearest(read: Tally, bounds: Span) -> Tally:
    """What a spot may show that is nearest to what is read."""
    return tuple(min(max(n, low), high) for n, low, high in zip(read, *bounds, strict=True))
