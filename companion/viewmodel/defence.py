"""8. Defence: everybody threatened is asked alike, in secret, for the same time; the result comes after everyone.

In: the threat (9.2), the clock, what each player presses behind the own curtain. Out: `Defend` or `Decline` for each,
in order, once all have had their time. An answer is kept until then; silence is "let it happen", and so is "play"
without such a tile. Nothing on the public screen depends on an answer or a hand (9.3). What the disk refuses to keep is
tried again, with the same answers. What led here can be taken back until the first one has begun to look.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from companion.i18n import N_, NN_, _, ngettext
from companion.rules.actions import Action, Creature, Decline, Defend
from companion.rules.pieces import DEFENCE_TILE
from companion.rules.position import Threat
from companion.viewmodel.board import Choice, board_view
from companion.viewmodel.curtain import Curtain
from companion.viewmodel.desk import Desk
from companion.viewmodel.presenter import Presenter
from companion.viewmodel.states import Button, DefenceScreen, Line, SecretCard, SecretScreen
from companion.viewmodel.words import label, names

STEPS = 120
"""The time left is told in so many steps."""

RETRY_S = 2.0
"""So long after the disk has refused the answers they are tried again."""

_TITLES: Mapping[Creature, str] = {"shark": N_("A shark at {hex}"), "whale": N_("A whale at {hex}")}
_CARD_TITLES: Mapping[Creature, str] = {
    "shark": N_("{name}: a shark at {hex}"),
    "whale": N_("{name}: a whale at {hex}"),
}
_IN_DANGER: Mapping[Creature, tuple[str, str]] = {
    "shark": NN_(
        "{names}, your swimmers are in danger. You are asked in secret.",
        "{names}, your swimmers are in danger. Each of you is asked in secret.",
    ),
    "whale": NN_(
        "{names}, your boat is in danger. You are asked in secret.",
        "{names}, your boat is in danger. Each of you is asked in secret.",
    ),
}
_YOURS: Mapping[Creature, str] = {
    "shark": N_("An explorer of yours swims there."),
    "whale": N_("An explorer of yours is in the boat there."),
}
_HELD: Mapping[Creature, tuple[str, str]] = {
    "shark": (N_("You hold no shark defence."), N_("You hold a shark defence.")),
    "whale": (N_("You hold no whale defence."), N_("You hold a whale defence.")),
}


class Asked(Curtain):
    """One player's question: both answers, always there, alike."""

    not_now = False

    def __init__(self, desk: Desk, player: int, threat: Threat, answer_s: int) -> None:
        super().__init__(desk, player)
        self._threat = threat
        self._answer_s = answer_s
        self._until = desk.shell.now + answer_s
        self._steps_left = STEPS
        self.plays = False
        """What has been answered so far."""
        self._answered = False

    def card(self) -> SecretCard:
        """The danger, what is held, the two answers and the time."""
        kind = self._threat.creature
        holds = DEFENCE_TILE[kind] in self.desk.hand(self.player)
        return SecretCard(
            title=_(_CARD_TITLES[kind]).format(name=self.desk.players[self.player].name, hex=label(self._threat.hex)),
            text=" ".join((_(_YOURS[kind]), _(_HELD[kind][holds]))),
            strong=self._kept(holds=holds),
            answers=(
                self._button("play", _("Play the defence"), f"{kind}_defence", chosen=self._answered and self.plays),
                self._button("let", _("Let it happen"), "hand", chosen=self._answered and not self.plays),
            ),
            left=self._steps_left / STEPS,
        )

    def _kept(self, *, holds: bool) -> str:
        if not self._answered:
            return ""
        if not self.plays:
            return _("Your answer: let it happen.")
        return _("Your answer: play the defence.") if holds else _("Without one your answer counts as: let it happen.")

    def _button(self, button_id: str, text: str, icon: str, *, chosen: bool) -> Button:
        return Button(id=button_id, text=text, icon=icon, kind="primary" if chosen else "secondary")

    def answer(self, button_id: str) -> None:
        """Kept until the time is over; it can be changed till then."""
        if button_id in ("play", "let"):
            self._answered, self.plays = True, button_id == "play"

    def shut(self) -> None:
        """The time runs on."""

    def tick(self, now: float) -> bool:
        """The bar gets shorter; it is seen only behind the curtain."""
        opened = super().tick(now)
        before = self._steps_left
        self._steps_left = max(0, math.ceil((self._until - now) / self._answer_s * STEPS))
        return opened or self._steps_left != before

    @property
    def over(self) -> bool:
        """The time is over."""
        return self._steps_left == 0


class Defence(Presenter):
    """One threat: all who are asked, one after the other."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        threat = desk.public.threat
        assert threat is not None, "in `reaction` there is a threat"
        self._threat = threat
        self._answer_s = desk.shell.household.preferences.answer_s  # the same for all who are asked
        self._asked: Asked | None = None
        self._settle_at = desk.shell.now

    @property
    def player(self) -> int | None:
        """Who is to look now; None when all have answered."""
        return next((number for number in self._threat.asked if number not in self._desk.answers), None)

    def state(self) -> DefenceScreen | SecretScreen:
        """The curtain while somebody is being asked, else what everybody may know."""
        if self._asked:
            return self._asked.state()
        desk, threat = self._desk, self._threat
        who = [desk.players[number] for number in threat.asked]
        return DefenceScreen(
            title=_(_TITLES[threat.creature]).format(hex=label(threat.hex)),
            icon=threat.creature,
            board=board_view(desk.public.layout, Choice(lights={threat.hex: "chosen"}, veiled=True)),
            sentence=ngettext(*_IN_DANGER[threat.creature], len(who)).format(names=names(who)),
            asked=tuple(self._line(i) for i in range(len(who))),
            hint=ngettext(
                "Everyone is asked, whatever they hold, and each answer takes {n} second.",
                "Everyone is asked, whatever they hold, and each answer takes {n} seconds.",
                self._answer_s,
            ).format(n=self._answer_s),
            left=1.0,
            menu=None if desk.answers else Button(id="menu", text=_("Menu"), icon="menu"),
            undo=None if desk.answers else self._undo(),
            primary=self._primary(),
        )

    def _undo(self) -> Button:
        """A creature on the wrong hex goes back before anybody has looked: then nobody has learnt anything by it."""
        return Button(id="undo", text=_("Undo"), icon="undo", enabled=self._desk.session.undo_offer is not None)

    def _primary(self) -> Button:
        if self.player is None:
            return Button(id="wait", text=_("All have answered"), kind="primary", enabled=False)
        now = self._desk.players[self.player]
        text = _("{name}, hold to look").format(name=now.name)
        return Button(id="look", text=text, mark=now.colours[0], kind="primary")

    def _line(self, i: int) -> Line:
        asked = self._threat.asked
        player = self._desk.players[asked[i]]
        at = len(asked) if self.player is None else asked.index(self.player)
        figure = _("asked") if i < at else _("now") if i == at else _("next")
        return Line(text=player.name, mark=player.colours[0], figure=figure, tone="strong" if i == at else "soft")

    def press(self, button_id: str) -> None:
        """To the curtain; behind it, an answer. Until somebody has looked, back or away."""
        if self._asked:
            self._asked.press(button_id)
        elif button_id == "look" and self.player is not None:
            self._begin(self.player)
        elif not self._desk.answers and button_id in ("undo", "menu"):
            (self._desk.undo if button_id == "undo" else self._desk.go_for_menu)()

    def _begin(self, player: int) -> None:
        self._asked = Asked(self._desk, player, self._threat, self._answer_s)

    def hold(self, player: int) -> None:
        """The own button on the panel leads to the curtain at once."""
        if not self._asked and player == self.player:
            self._begin(player)
        if self._asked:
            self._asked.hold(player)

    def let_go(self, player: int) -> None:
        """It is hidden again."""
        if self._asked:
            self._asked.let_go(player)

    def cover(self, player: int) -> None:
        """It is hidden again; an answer that has been given stays."""
        if self._asked:
            self._asked.cover(player)

    def tick(self, now: float) -> bool:
        """The time of one is over, then of the next; with the last the answers take effect."""
        changed = False
        if self._asked:
            changed = self._asked.tick(now)
            if not self._asked.over:
                return changed
            self._desk.answers[self._asked.player] = self._asked.plays
            self._asked = None
            self._desk.shell.sound("time")
            changed = True
        if self.player is None and now >= self._settle_at:
            self._settle_at = now + RETRY_S
            self._settle()
        return changed

    def _settle(self) -> None:
        """Everybody's answer in order; the first defence settles it (9.2)."""
        session, answers, threat = self._desk.session, self._desk.answers, self._desk.public.threat
        assert threat is not None, "in `reaction` there is a threat"
        for player in threat.asked:
            defend: Action = Defend(player=player)
            defends = answers[player] and defend in session.legal()
            session.do(defend if defends else Decline(player=player))
            answers.pop(player, None)
            if defends:
                answers.clear()
                return
