"""Every rule that can be shown has a card in every language that is whole: nothing cut, nothing over anything else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from screen_samples import samples
from test_text import check, longer, words_on

from companion import i18n
from companion.viewmodel import states as s
from companion.viewmodel.help.card import RuleHelp
from companion.viewmodel.help.rules import RULES

BEHIND = samples()["04a_turn"].screen


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    i18n.set_language(request.param)
    yield request.param
    i18n.set_language(i18n.SOURCE_LANGUAGE)


def whole(root: Any, card: s.RuleCard) -> None:
    check(root)
    said = " ".join("".join(run.text for run in words.spans) for words in words_on(root.dialog))
    assert all(text in said for text in (card.rule, card.title, card.sentence, card.text)), said
    ground = root.dialog.widgets["veil"].part.drawn[1].box
    assert ground.y >= 8
    assert ground.bottom <= root.page.height


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_every_card_is_whole_in_every_language(show: Any, language: str, size: tuple[int, int]) -> None:
    for rule in RULES:
        card = RuleHelp(rule).state()
        root, _, _ = show(s.AppState(screen=BEHIND, dialog=card), size)
        whole(root, card)


def test_every_card_has_room_for_words_forty_percent_longer(show: Any) -> None:
    for rule in RULES:
        card = longer(RuleHelp(rule).state())
        root, _, _ = show(s.AppState(screen=BEHIND, dialog=card))
        whole(root, card)


def test_the_phases_line_and_the_rules_number_are_pressed_where_they_stand(show: Any) -> None:
    for name, key in (("04a_turn", "phase"), ("05a_contradiction", "rule"), ("03b_setup_explorers", "sentence")):
        root, view_model, hand = show(samples()[name])
        part = root.screen.widgets[key].part
        hand.tap(part.box.x + 10, part.box.y + 10)
        assert view_model.calls == [("press", part.id)]
        assert part.id.startswith("rule:")
