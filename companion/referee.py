"""The referee protocol: one JSON object a line in, one JSON object a line out.

`Referee.answer` takes a line and gives the answer; it holds the positions of the game so far, for `undo`. It never
raises because of what a line says: every error of the rules has its code in the protocol.
"""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import IO, Any

import msgspec

from companion.rules import (
    BadAction,
    BadPosition,
    BadSetup,
    IllegalAction,
    Options,
    Player,
    Position,
    RulesError,
    apply,
    check,
    decode_action,
    decode_position,
    encode_action,
    encode_event,
    encode_position,
    encode_view,
    legal_actions,
    new_game,
    view,
)
from companion.rules.geometry import Hex, load_board
from companion.rules.layout import TERRAINS, LayoutError, Terrain, decode_hex
from companion.table.dealer import Dealer

Answer = dict[str, Any]


_CODES: Mapping[type[RulesError], str] = {
    BadAction: "bad_action",
    BadPosition: "bad_position",
    BadSetup: "bad_command",
}


class CommandError(Exception):
    """A command that cannot be carried out; `code` is the protocol's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Referee:
    """One game at a time, driven by lines of the protocol."""

    def __init__(self) -> None:
        self._history: list[Position] = []
        self._dealer = Dealer()
        self._commands: Mapping[str, Callable[[Mapping[str, Any]], Answer]] = {
            "new": self._new,
            "load": self._load,
            "position": self._position,
            "legal": self._legal,
            "apply": self._apply,
            "undo": self._undo,
            "quit": self._quit,
        }
        self.done = False

    def answer(self, line: bytes | str) -> Answer:
        """The answer to one line; `done` is set once the program is to end."""
        try:
            return {"ok": True, **self._obey(_parse(line))}
        except IllegalAction as error:
            return {**_error("illegal", str(error)), "rule": error.rule}
        except RulesError as error:
            return _error(_CODES[type(error)], str(error))
        except CommandError as error:
            return _error(error.code, str(error))
        except Exception as error:  # a fault of ours must not end the program either; it is told where faults are read
            traceback.print_exc(file=sys.stderr)
            return _error("bad_command", f"the referee could not carry this out: {type(error).__name__}")

    def _obey(self, command: object) -> Answer:
        if not isinstance(command, Mapping):
            raise CommandError("bad_command", 'a command is an object with "cmd"')
        name = command.get("cmd")
        if not isinstance(name, str) or name not in self._commands:
            raise CommandError("bad_command", f"cmd: must be one of {', '.join(self._commands)}")
        return self._commands[name](command)

    @property
    def _now(self) -> Position:
        if not self._history:
            raise CommandError("no_game", "there is no game; begin with `new` or `load`")
        return self._history[-1]

    def _new(self, command: Mapping[str, Any]) -> Answer:
        seed = command.get("seed")
        if "seed" in command and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise CommandError("bad_command", "seed: must be a whole number")
        dealer = Dealer(seed)
        position = new_game(
            players=_read(command.get("players"), tuple[Player, ...], "players"),
            options=_read(command.get("options", {}), Options, "options"),
            tiles=_tiles(command["layout"]) if "layout" in command else dealer.tiles(),
            edition=_read(command.get("edition"), str, "edition"),
        )
        self._history, self._dealer = [position], dealer
        return {}

    def _load(self, command: Mapping[str, Any]) -> Answer:
        self._history = [decode_position(command.get("position"))]
        return {}

    def _position(self, command: Mapping[str, Any]) -> Answer:
        now = self._now
        if "viewer" not in command:
            return {"position": encode_position(now)}
        viewer = command["viewer"]
        if isinstance(viewer, bool) or not isinstance(viewer, int) or not 0 <= viewer < len(now.players):
            raise CommandError("bad_command", f"viewer: must be a player's number, 0 to {len(now.players) - 1}")
        return {"position": encode_view(view(now, viewer))}

    def _legal(self, command: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - one signature for all commands
        return {"actions": [encode_action(action) for action in legal_actions(self._now)]}

    def _apply(self, command: Mapping[str, Any]) -> Answer:
        now = self._now
        action = decode_action(command.get("action"))
        check(now, action)
        after, events = apply(now, self._dealer.complete(now, action))
        self._history.append(after)
        return {"events": [encode_event(event) for event in events]}

    def _undo(self, command: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - one signature for all commands
        if self._now is self._history[0]:
            raise CommandError("bad_command", "there is nothing to take back")
        self._history.pop()
        return {}

    def _quit(self, command: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - one signature for all commands
        self.done = True
        return {}


def _error(code: str, message: str) -> Answer:
    return {"ok": False, "error": code, "message": message}


def _parse(line: bytes | str) -> object:
    """JSON as the standard has it: UTF-8, no NaN, no depth or length that Python's own limits refuse."""
    try:
        text = line if isinstance(line, str) else line.decode("utf-8")
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise CommandError("bad_json", f"not a line of JSON: {error}") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _read(data: object, kind: Any, field: str) -> Any:
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise CommandError("bad_command", f"{field}: {error}") from None


def _tiles(layout: object) -> dict[Hex, Terrain]:
    """The tiles of a layout object; nothing else of it is read."""
    hexes = layout.get("hexes") if isinstance(layout, Mapping) else None
    if not isinstance(hexes, list):
        raise CommandError("bad_command", "layout.hexes: must be a list")
    tiles: dict[Hex, Terrain] = {}
    for i, item in enumerate(hexes):
        if not isinstance(item, Mapping) or item.get("tile") is None:
            continue
        if item["tile"] not in TERRAINS:
            raise CommandError("bad_command", f"layout.hexes[{i}].tile: must be one of {', '.join(TERRAINS)}")
        try:
            h = decode_hex(item.get("hex"), load_board(), f"layout.hexes[{i}].hex")
        except LayoutError as error:
            raise CommandError("bad_command", str(error)) from None
        if h in tiles:
            raise CommandError("bad_command", f"layout.hexes[{i}].hex: listed twice")
        tiles[h] = item["tile"]
    return tiles


def main(stdin: IO[Any], stdout: IO[str]) -> int:
    """Answer every line until `quit` or the end of the input; the exit status."""
    referee = Referee()
    for line in getattr(stdin, "buffer", stdin):
        stdout.write(json.dumps(referee.answer(line)) + "\n")
        stdout.flush()
        if referee.done:
            break
    return 0
