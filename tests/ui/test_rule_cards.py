"""Every rule that can be shown has a card in every language that is whole: nothing cut, nothing over anything else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from measuring import complaints, page_of
from screen_samples import samples
from test_text import NAMES, SIZES, longer

from companion import i18n
from companion.ui.parts import Art
from companion.ui.screens.catalogue import dialog_parts
from companion.viewmodel import states as s
from companion.viewmodel.help.card import RuleHelp
from companion.viewmodel.help.rules import RULES

BEHIND = samples()["04a_turn"].screen


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.set_language(request.param)
    yield request.param
    i18n.set_language(i18n.SOURCE_LANGUAGE)


def wrong_with(card: s.RuleCard, size: tuple[int, int]) -> list[str]:
    page = page_of(size)
    state = s.AppState(screen=BEHIND, dialog=card)
    veil = next(part for part in dialog_parts(page, card) if part.key == "veil")
    assert isinstance(veil, Art)
    ground = veil.drawn[1].box
    too_high = [] if ground.y >= 8 and ground.bottom <= page.height else [f"too high: {card.title}"]
    return complaints(page, state, NAMES) + too_high


@pytest.mark.parametrize("size", SIZES)
def test_every_card_is_whole_in_every_language(language: str, size: tuple[int, int]) -> None:
    assert {rule: wrong for rule in RULES if (wrong := wrong_with(RuleHelp(rule).state(), size))} == {}


def test_every_card_has_room_for_words_forty_percent_longer() -> None:
    assert {rule: wrong for rule in RULES if (wrong := wrong_with(longer(RuleHelp(rule).state()), SIZES[0]))} == {}


def test_the_phases_line_and_the_rules_number_are_pressed_where_they_stand(show: Any) -> None:
    for name, key in (("04a_turn", "phase"), ("05a_contradiction", "rule"), ("03b_explorers", "sentence")):
        root, view_model, hand = show(samples()[name])
        part = root.screen.widgets[key].part
        hand.tap(part.box.x + 10, part.box.y + 10)
        assert view_model.calls == [("press", part.id)]
        assert part.id.startswith("rule:")
