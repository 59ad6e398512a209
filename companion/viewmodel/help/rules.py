"""The rules that people meet, by number: a name, what the rule says, and what else is good to know.

Every number that the rules' engine can name is here, those of the phases, and what people must know besides to play.
The numbers are those of the rules as this project has put them in order (`companion.rules`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.i18n import N_
from companion.viewmodel.log import ENDED
from companion.viewmodel.words import CHALLENGES


class RuleText(NamedTuple):
    """`sentence` is also what is said where the rule is broken; `more` stands below it on the card.

    `refuses`: the sentence is that alone, and `more` what the rule says.
    """

    title: str
    sentence: str
    more: str = ""
    refuses: bool = False

    @property
    def says(self) -> str:
        """What the rule says, to whom nothing was refused."""
        return self.more if self.refuses else self.sentence

    @property
    def besides(self) -> str:
        """What else is good to know."""
        return "" if self.refuses else self.more


_STRIKE = N_("Sharks eat swimmers, whales upset boats with people in them, serpents take both.")


RULES: Mapping[str, RuleText] = {
    "1.2": RuleText(
        N_("The numbers"),
        N_("Of each colour: three ones, two twos, two threes, a four, a five, a six."),
        N_("Once the game has begun nobody looks at them."),
    ),
    "1.3": RuleText(
        N_("Under the tiles"),
        N_("There are only so many tiles of each kind, and what has come up does not come again."),
        N_("Beach, forest and mountain each hide their own."),
    ),
    "2.2": RuleText(
        N_("The island"),
        N_("The forty tiles lie at random on the island, a sea serpent on each of its five hexes."),
        N_("Where serpents begin is printed on the board."),
    ),
    "2.3": RuleText(
        N_("Placing explorers"),
        N_("Explorers go one at a time, on a tile where nobody stands."),
        N_("Clockwise, until all are on the island."),
    ),
    "2.4": RuleText(
        N_("Placing boats"),
        N_("A boat goes on the sea beside a tile, where there is no boat and no serpent."),
        N_("Clockwise, one boat at a time."),
    ),
    "3": RuleText(
        N_("How a turn goes"),
        N_("It is not the time for that now."),
        N_("First a tile from the hand, then up to three moves, then a tile is sunk, then the die, then a creature."),
        refuses=True,
    ),
    "3.1": RuleText(
        N_("A tile from the hand"),
        N_("At the start of your turn you may play one tile from your hand."),
        N_("What you hold is your secret; how many is not. A defence waits for another’s turn."),
    ),
    "3.2": RuleText(
        N_("Three moves"),
        N_("You have three moves in all, for your explorers and for boats, in any order."),
        N_("A move goes to the next hex. You need not use them all."),
    ),
    "3.3": RuleText(
        N_("Sink a tile"),
        N_("You take one tile off the island: a beach while there is one, then a forest, then a mountain."),
        N_("Who stood on it swims. What is under it you look at in secret."),
    ),
    "3.4": RuleText(
        N_("The creature die"),
        N_("Only a creature of the kind rolled may move."),
        N_("You must roll, but you may leave them all where they are. If there is none of the kind, nothing happens."),
    ),
    "4.1": RuleText(
        N_("From the island"),
        N_("From a tile an explorer goes to the next tile, to a boat there, or into the sea there."),
        N_("However many stand on it: a tile is never full."),
    ),
    "4.2": RuleText(
        N_("Out of a boat"),
        N_("From a boat an explorer goes to the next boat, into the sea below, or onto safe land."),
        N_("Onto safe land from a dashed hex on its coast; the boat stays there."),
    ),
    "4.3": RuleText(
        N_("Swimming"),
        N_("A swimmer goes to the next sea hex, into a boat on its own hex, or onto safe land."),
        N_("Never into a boat on another hex."),
    ),
    "4.4": RuleText(
        N_("No way back"),
        N_("Who has left the island never steps on a tile again."),
        N_("Neither from a boat nor from the sea."),
    ),
    "4.5": RuleText(
        N_("Once in a turn"),
        N_("Nobody swims more than once in a turn."),
        N_("Into the sea, on through it, out of it: each is swimming. Falling in with a tile or a boat is not."),
    ),
    "4.7": RuleText(
        N_("Everybody’s own"),
        N_("Nobody moves another player’s explorer, and who is on safe land stays there."),
    ),
    "5.1": RuleText(
        N_("Room in a boat"),
        N_("There is one boat on a hex, with at most three explorers in it."),
        N_("Of whatever colours."),
    ),
    "5.2": RuleText(
        N_("Where a boat goes"),
        N_("A boat goes to the next sea hex, where there is no other boat."),
        N_("Everybody in it goes along."),
    ),
    "5.3": RuleText(
        N_("Who moves a boat"),
        N_("A boat is moved by a player with the most passengers in it."),
        N_("With equal numbers any of them may, and an empty boat anybody."),
    ),
    "5.4": RuleText(
        N_("A boat and a creature"),
        N_("Serpents and whales leave an empty boat alone; a boat with people on their hex is struck."),
        N_("Also when somebody boards an empty boat there."),
    ),
    "6.1": RuleText(
        N_("What sinks first"),
        N_("Beaches go first, then forests, then mountains."),
        N_("A forest stays until the last beach has gone."),
    ),
    "6.2": RuleText(
        N_("From the shore inwards"),
        N_("Tiles beside the sea go before those inland."),
        N_("The hole in the middle of the island is sea too."),
    ),
    "6.3": RuleText(
        N_("Under the tile"),
        N_("Whoever stood on the tile swims there now, and its player looks at the back in secret."),
        N_("Some tiles work at once and are shown to all; any other stays hidden in the hand."),
    ),
    "6.4": RuleText(
        N_("What comes up"),
        N_("Where a tile has gone comes up what its back shows, and nothing else."),
        N_("A boat takes three swimmers aboard; who they are is for the player to say whose turn it is."),
    ),
    "6.5": RuleText(
        N_("What is kept"),
        N_("Any other tile stays hidden in your hand; you may play it from your next turn on."),
        N_("A defence already in the next player’s turn."),
    ),
    "7.1": RuleText(
        N_("Where creatures go"),
        N_("Creatures move over the sea only."),
        N_("Any number of them may share a hex."),
    ),
    "7.2": RuleText(
        N_("How far creatures go"),
        N_("A serpent moves one hex, a shark two at most, a whale three at most."),
        _STRIKE,
    ),
    "7.3": RuleText(
        N_("Where creatures stop"),
        N_("A shark stops at the first swimmer, a whale at the first boat with people in it."),
        N_("They do not pass through."),
    ),
    "7.4": RuleText(
        N_("There and back"),
        N_("A creature that moves ends on another hex than where it began."),
    ),
    "8": RuleText(
        N_("What creatures do"),
        _STRIKE,
        N_("Your own too, also if you go to them yourself. An empty boat is left alone."),
    ),
    "9.1": RuleText(
        N_("A defence"),
        N_("A defence tile drives the shark or the whale out of the game, and everybody there is unharmed."),
        N_("Against a shark for your swimmer, against a whale for the boat that you are in; on another’s turn."),
    ),
    "9.2": RuleText(
        N_("Who is asked"),
        N_("All others who have somebody in danger there are asked, clockwise; the first defence settles it."),
        N_("They are asked whatever they hold, so that it tells nothing."),
    ),
    "9.4": RuleText(
        N_("More than one"),
        N_("Several sharks or whales on a hex are several threats, one after the other."),
        N_("A defence drives one of them away."),
    ),
    "9.5": RuleText(
        N_("What a defence answers"),
        N_("However a shark or a whale and you come to share a hex, a defence answers it."),
        N_("With the house rule “If moved” only to a creature that another player has just moved there."),
    ),
    "10.1": RuleText(
        N_("Dolphin"),
        N_("One swimmer of yours goes one to three hexes over the sea."),
        N_("Not through a shark or a serpent. It does not count as swimming, nor as a move."),
    ),
    "10.2": RuleText(
        N_("Favourable wind"),
        N_("A boat that you may move, with one of yours aboard, goes one to three hexes."),
        N_("Not through a serpent or a whale. It does not count as a move."),
    ),
    "10.3": RuleText(
        N_("Calling a creature"),
        N_("A creature of the kind on the tile goes to any sea hex where nothing is."),
        N_("So it strikes nobody there."),
    ),
    "11.1": RuleText(
        N_("Volcanic eruption"),
        ENDED["volcano"],
        N_("The game ends at once."),
    ),
    "11.2": RuleText(
        N_("Who wins"),
        N_("The numbers under each player’s rescued explorers are added up; most wins."),
        N_("Not whoever rescued most. Who have equal sums win together."),
    ),
    "12.1": RuleText(
        CHALLENGES["overpopulation"][0],
        N_("Two explorers may stand only on a tile inside the island."),
        N_("Only while explorers are placed; inside means that no sea is beside it."),
    ),
    "12.2": RuleText(
        CHALLENGES["last_survivor"][0],
        CHALLENGES["last_survivor"][1],
        N_("The volcano is a whirlpool then."),
    ),
    "12.3": RuleText(
        CHALLENGES["all_equal"][0],
        CHALLENGES["all_equal"][1],
    ),
    "12.4": RuleText(
        CHALLENGES["atlantis_sinks"][0],
        CHALLENGES["atlantis_sinks"][1],
        N_("The volcano is a whirlpool then."),
    ),
    "13.1": RuleText(
        N_("Dolphins come up"),
        N_("Where a dolphin tile comes up a dolphin is placed in the sea; nobody keeps the tile."),
        N_("The red die is put away."),
    ),
    "13.2": RuleText(
        N_("The blue dice"),
        N_("One blue die says what may move, the other how many hexes at most."),
        N_("A star is any of them; a boat must be empty. A dive goes to any empty sea hex."),
    ),
    "13.3": RuleText(
        N_("Where creatures stop"),
        N_("A creature stops at the first prey on its way, even where dolphins protect it."),
    ),
    "13.4": RuleText(
        N_("Dolphins protect"),
        N_("Each dolphin protects one swimmer on its hex from sharks and serpents."),
        N_("If more swim there, their owners say in turn whom."),
    ),
    "13.5": RuleText(
        N_("With a dolphin"),
        N_("A swimmer that goes to the next sea hex may take a dolphin from its own hex along."),
        N_("Each dolphin one hex a turn."),
    ),
    "13.6": RuleText(
        N_("Dolphins beside others"),
        N_("A dolphin shares its hex with anything, and harms nobody."),
    ),
}
"""In order."""
