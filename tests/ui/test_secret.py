"""The curtain (rules 6.3, 9.3): it shows only what the view model gives, while a finger is down in one corner."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import pytest
from screen_samples import samples

from companion.ui.parts import Art, Press, Words
from companion.ui.picture import png
from companion.ui.root import CompanionRoot
from companion.viewmodel import states as s

SAMPLES = samples()
DOLPHIN = SAMPLES["07b_secret_held"].screen.card
CARDS = ("07b_secret_held", "07c_hand_held", "07d_choose_held_many", "07e_enter_forest", "08b_defence_held")
COMES_IN_S = 0.12
FRAME_S = 1 / 60
CORNERS = {"sw": (60, 420), "se": (740, 420), "nw": (60, 60), "ne": (740, 60)}


def curtain(corner: str, card: s.SecretCard | None = None) -> s.AppState:
    screen = SAMPLES["07a_secret_hidden"].screen
    assert isinstance(screen, s.SecretScreen)
    fields = {name: getattr(screen, name) for name in screen.__struct_fields__} | {"corner": corner, "card": card}
    return s.AppState(screen=s.SecretScreen(**fields))


def words_on(root: CompanionRoot) -> str:
    drawn = []
    for widget in root.screen.widgets.values():
        part = widget.part
        things = part.drawn if isinstance(part, Art) else part.up if isinstance(part, Press) else ()
        drawn += [run.text for thing in things if isinstance(thing, Words) for run in thing.spans]
    return " ".join(drawn)


@pytest.mark.parametrize("corner", CORNERS)
def test_the_viewers_own_corner_is_held_until_the_finger_goes(show: Any, corner: str) -> None:
    _, view_model, hand = show(curtain(corner))
    hand.down(*CORNERS[corner])
    assert view_model.calls == [("hold", 0)]
    hand.up(*CORNERS[corner])
    assert view_model.calls == [("hold", 0), ("let_go", 0)]


@pytest.mark.parametrize("corner", CORNERS)
def test_no_other_corner_holds(show: Any, corner: str) -> None:
    _, view_model, hand = show(curtain(corner))
    for other, place in CORNERS.items():
        if other != corner:
            hand.down(*place)
            hand.up(*place)
    assert not [call for call in view_model.calls if call[0] == "hold"]


def test_the_corner_ends_at_its_arc(show: Any) -> None:
    _, view_model, hand = show(curtain("sw"))
    hand.tap(150, 480 - 150)
    assert view_model.calls == []


def test_it_opens_only_after_300_ms_on_the_view_models_clock(show: Any, passes: Any) -> None:
    """The delay is the view model's, for corner and button panel alike; the corner adds none of its own."""
    root, view_model, hand = show(curtain("sw"))
    hand.down(*CORNERS["sw"])
    assert view_model.calls == [("hold", 0)]
    passes(0.29)
    assert "Dolphin" not in words_on(root)
    view_model.publish(curtain("sw", DOLPHIN))
    passes(COMES_IN_S)
    assert "Dolphin" in words_on(root)


@pytest.mark.parametrize("opened", CARDS)
def test_the_empty_card_comes_in_alike_whatever_it_will_say_and_then_says_it(
    show: Any, passes: Any, monkeypatch: pytest.MonkeyPatch, opened: str
) -> None:
    """Never content in a transition: picture by picture, and in all that is drawn for them."""

    def film(card: s.SecretCard) -> list[tuple[bytes, list[Any]]]:
        root, view_model, _ = show(curtain("sw"))
        drawn: list[Any] = []
        draw = root.scene.draw
        monkeypatch.setattr(root.scene, "draw", lambda things: draw(drawn.append(things) or things))
        view_model.publish(curtain("sw", card))
        shown = [(png(root), list(drawn))]
        while len(shown) * FRAME_S < COMES_IN_S + 3 * FRAME_S:
            passes(FRAME_S)
            shown.append((png(root), list(drawn)))
        return shown

    one, other = film(SAMPLES[opened].screen.card), film(s.SecretCard(title="Another"))
    alike = [a == b for a, b in zip(one, other, strict=True)]
    whole = alike.index(False)
    assert not any(alike[whole:])
    assert whole == math.ceil(COMES_IN_S / FRAME_S), "what it says is there after 120 ms, and no sooner"
    assert len({picture for picture, _ in one[:whole]}) > whole / 2, "it is seen to come in"


@pytest.mark.parametrize("after", [0.0, 0.05, 0.1, 0.5])
def test_it_shuts_at_once_when_let_go(show: Any, passes: Any, after: float) -> None:
    """Also while it is still opening; and it stays shut."""
    root, view_model, hand = show(curtain("sw"))
    shut = [widget.part for widget in root.screen.widgets.values()]
    view_model.on_call = lambda call: {"hold": curtain("sw", DOLPHIN), "let_go": curtain("sw")}[call[0]]
    hand.down(*CORNERS["sw"])
    passes(after)
    assert ("Dolphin" in words_on(root)) == (after > COMES_IN_S)
    hand.up(*CORNERS["sw"])
    for _ in range(3):
        assert [widget.part for widget in root.screen.widgets.values()] == shut
        passes(0.1)


def test_held_again_while_it_was_opening_it_takes_its_time_again(show: Any, passes: Any) -> None:
    root, view_model, _ = show(curtain("sw"))
    view_model.publish(curtain("sw", DOLPHIN))
    passes(0.1)
    view_model.publish(curtain("sw"))
    view_model.publish(curtain("sw", DOLPHIN))
    passes(0.1)
    assert "Dolphin" not in words_on(root)
    passes(0.05)
    assert "Dolphin" in words_on(root)


def test_what_goes_on_behind_a_card_that_opens_neither_shows_nor_delays_it(show: Any, passes: Any) -> None:
    """The time of a defence runs meanwhile."""
    card = SAMPLES["08b_defence_held"].screen.card
    root, view_model, _ = show(curtain("sw"))
    for left in (0.9, 0.8, 0.7):
        view_model.publish(curtain("sw", msgspec.structs.replace(card, left=left)))
        assert "play" not in root.screen.widgets
        passes(0.05)
    assert "play" in root.screen.widgets


def test_with_less_movement_the_card_is_there_at_once(show: Any) -> None:
    less = s.Display(less_movement=True)
    root, view_model, _ = show(msgspec.structs.replace(curtain("sw"), display=less))
    view_model.publish(msgspec.structs.replace(curtain("sw", DOLPHIN), display=less))
    assert "Dolphin" in words_on(root)
    assert root.screen.widgets["card"].opacity == 1.0


def test_sliding_out_of_the_corner_is_letting_go(show: Any) -> None:
    _, view_model, hand = show(curtain("sw"))
    hand.down(*CORNERS["sw"])
    hand.move(400, 240)
    assert view_model.calls == [("hold", 0), ("let_go", 0)]
    hand.up(400, 240)
    assert view_model.calls == [("hold", 0), ("let_go", 0)]


@pytest.mark.parametrize("other", ["se", "nw", "ne"])
def test_a_finger_in_another_corner_shuts_it(show: Any, other: str) -> None:
    _, view_model, hand = show(curtain("sw"))
    hand.down(*CORNERS["sw"], finger=1)
    hand.down(*CORNERS[other], finger=2)
    assert view_model.calls == [("hold", 0), ("cover", 0)]


@pytest.mark.parametrize("corner", CORNERS)
def test_an_answer_that_reaches_into_another_corner_is_an_answer_all_over(show: Any, corner: str) -> None:
    root, view_model, hand = show(curtain(corner, SAMPLES["07e_enter_forest"].screen.card))
    hand.down(*CORNERS[corner], finger=1)
    answers = [widget.part for widget in root.screen.widgets.values() if isinstance(widget.part, Press)]
    turned = corner.startswith("n")
    for box in (part.box for part in answers):
        for x, y in ((box.x + 6, box.y + 6), (box.right - 6, box.y + 6), (box.right - 6, box.bottom - 6)):
            hand.down(*((800 - x, 480 - y) if turned else (x, y)), finger=2)
            hand.up(*((800 - x, 480 - y) if turned else (x, y)), finger=2)
    assert view_model.calls[0] == ("hold", 0)
    assert view_model.calls[1:] == [("press", part.id) for part in answers for _ in range(3)]


def test_losing_the_window_or_the_touch_shuts_it(show: Any) -> None:
    root, view_model, hand = show(curtain("sw"))
    hand.down(*CORNERS["sw"])
    root.lose_touches()
    assert view_model.calls == [("hold", 0), ("cover", 0)]


def test_a_screen_that_comes_between_shuts_it(show: Any) -> None:
    _, view_model, hand = show(curtain("sw"))
    hand.down(*CORNERS["sw"])
    view_model.publish(SAMPLES["04a_turn"])
    assert view_model.calls == [("hold", 0), ("cover", 0)]


def test_closing_the_program_shuts_it(show: Any) -> None:
    root, view_model, hand = show(curtain("sw"))
    hand.down(*CORNERS["sw"])
    root.close()
    assert view_model.calls == [("hold", 0), ("cover", 0)]
    root._unsubscribe = lambda: None


def test_an_answer_is_pressed_with_another_finger_while_the_corner_is_held(show: Any) -> None:
    root, view_model, hand = show(curtain("se", SAMPLES["08b_defence_held"].screen.card))
    hand.down(*CORNERS["se"], finger=1)
    box = root.screen.widgets["let"].part.box
    hand.down(box.x + 60, box.y + 40, finger=2)
    hand.up(box.x + 60, box.y + 40, finger=2)
    assert view_model.calls == [("hold", 0), ("press", "let")]


def test_both_answers_have_one_size_and_look(show: Any) -> None:
    """9.3: nothing tells whether a defence is held."""
    root, _, _ = show(SAMPLES["08b_defence_held"])
    play, let = root.screen.widgets["play"].part, root.screen.widgets["let"].part
    assert (play.box.w, play.box.h, play.enabled) == (let.box.w, let.box.h, let.enabled)
    assert play.up[0].svg == let.up[0].svg


def test_the_card_has_one_size_whatever_is_on_it(show: Any) -> None:
    boxes = set()
    for name in ("07b_secret_held", "07c_hand_held", "07c_hand_many", "07d_choose_held_many", "08b_defence_held"):
        root, _, _ = show(curtain("sw", SAMPLES[name].screen.card))
        boxes.add(root.screen.widgets["card"].part.drawn[0].box)
    assert len(boxes) == 1


def test_the_shut_curtain_is_the_same_for_every_tile(show: Any) -> None:
    """The parts come from a state without a card: there is nothing in them that a tile could change."""
    before, _, _ = show(curtain("sw"))
    after, view_model, _ = show(curtain("sw", DOLPHIN))
    view_model.publish(curtain("sw"))
    assert [w.part for w in before.screen.widgets.values()] == [w.part for w in after.screen.widgets.values()]
