"""A second, slow and plain reading of the rules: every legal action of a position given as JSON.

It shares nothing with the engine but the board file: dictionaries, loops and paths, written from the text of the rules.
What the engine lists is compared with what this lists.
"""

import itertools
import json

from companion.rules.geometry import load_board

BOARD = load_board("anniversary")
HEXES = set(BOARD.hexes)


def near(h):
    q, r = h
    around = [(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)]
    return [n for n in around if n in HEXES]


class Table:
    """The JSON position, looked at hex by hex."""

    def __init__(self, position):
        self.p = position
        self.cells = {tuple(c["hex"]): c for c in position["layout"]["hexes"]}

    def cell(self, h):
        return self.cells.get(h, {})

    def is_tile(self, h):
        return "tile" in self.cell(h)

    def is_sea(self, h):
        return h in HEXES and not self.is_tile(h)

    def has_boat(self, h):
        return "boat" in self.cell(h)

    def aboard(self, h):
        return self.cell(h).get("boat", {})

    def has_room(self, h):
        return self.has_boat(h) and sum(self.aboard(h).values()) < 3

    def has(self, h, kind):
        return self.cell(h).get(kind + "s", 0) > 0

    def swimmers(self, h):
        return {} if self.is_tile(h) else self.cell(h).get("explorers", {})

    def tiles(self, terrain=None):
        return [h for h in HEXES if self.is_tile(h) and (terrain is None or self.cell(h)["tile"] == terrain)]

    def own(self):
        return self.p["players"][self.p["active"]]["colours"]

    def controls(self, player, h):
        """5.3."""
        aboard = self.aboard(h)
        shares = [sum(aboard.get(c, 0) for c in pl["colours"]) for pl in self.p["players"]]
        return shares[player] == max(shares)

    def swum(self, on, h, colour):
        return sum(
            s["count"] for s in self.p["swum"] if s["on"] == on and tuple(s["hex"]) == h and s["colour"] == colour
        )


def paths_end(start, most, may_enter, must_stop):
    """Ends of all paths of one to `most` steps, followed one by one."""
    ends = set()

    def walk(h, left):
        for n in near(h):
            if may_enter(n):
                if n != start:
                    ends.add(n)
                if left > 1 and not must_stop(n):
                    walk(n, left - 1)

    walk(start, most)
    return ends


def legal(position):
    """The legal actions as JSON objects."""
    table = Table(position)
    return [json.loads(json.dumps(action)) for action in LISTS[position["phase"]](table)]


def place_explorers(t):
    for colour in t.own():
        if t.p["unplaced"]["explorers"].get(colour, 0) == 0:
            continue
        for h in t.tiles():
            standing = sum(t.cell(h).get("explorers", {}).values())
            inland = all(t.is_tile(n) for n in near(h))
            most = 2 if t.p["options"]["overpopulation"] and inland else 1
            if standing < most:
                yield {"type": "place_explorer", "colour": colour, "hex": h}


def place_boats(t):
    for h in HEXES:
        if t.is_sea(h) and any(t.is_tile(n) for n in near(h)) and not t.has_boat(h) and not t.has(h, "serpent"):
            yield {"type": "place_boat", "hex": h}


def play_tile(t):
    hand = set(t.p["hands"][t.p["active"]])
    for h in HEXES:
        if "dolphin" in hand:
            for colour in t.own():
                if t.swimmers(h).get(colour):
                    for to in paths_end(h, 3, t.is_sea, lambda n: t.has(n, "shark") or t.has(n, "serpent")):
                        yield {"type": "play_tile", "tile": "dolphin", "colour": colour, "from": h, "to": to}
        if "wind" in hand and any(t.aboard(h).get(c) for c in t.own()) and t.controls(t.p["active"], h):
            free = lambda n: t.is_sea(n) and not t.has_boat(n)  # noqa: E731
            for to in paths_end(h, 3, free, lambda n: t.has(n, "serpent") or t.has(n, "whale")):
                yield {"type": "play_tile", "tile": "wind", "from": h, "to": to}
        for kind in ("serpent", "shark", "whale"):
            if f"move_{kind}" in hand and t.has(h, kind):
                for to in HEXES:
                    if not t.cell(to):
                        yield {"type": "play_tile", "tile": f"move_{kind}", "from": h, "to": to}
    yield {"type": "end_phase"}


def move(t):
    landing = {h: land for land, hexes in BOARD.landings.items() for h in hexes}
    for h, cell in t.cells.items():
        for colour in t.own():
            if t.is_tile(h) and cell.get("explorers", {}).get(colour):
                yield from from_tile(t, h, colour)
            if t.swimmers(h).get(colour, 0) > t.swum("sea", h, colour):
                yield from from_sea(t, h, colour, landing)
            if t.aboard(h).get(colour):
                yield from from_boat(t, h, colour, landing)
        if t.has_boat(h) and t.controls(t.p["active"], h):
            for n in near(h):
                if t.is_sea(n) and not t.has_boat(n):
                    yield {"type": "move_boat", "from": h, "to": n}
    yield {"type": "end_phase"}


def step(colour, origin, target):
    return {"type": "move_explorer", "colour": colour, "from": origin, "to": target}


def from_tile(t, h, colour):
    here = {"hex": h, "on": "tile"}
    for n in near(h):
        if t.is_tile(n):
            yield step(colour, here, {"hex": n, "on": "tile"})
        else:
            yield step(colour, here, {"hex": n, "on": "sea"})
        if t.has_room(n):
            yield step(colour, here, {"hex": n, "on": "boat"})


def from_sea(t, h, colour, landing):
    here = {"hex": h, "on": "sea"}
    carried = sum(c["count"] for c in t.p.get("carried", []) if tuple(c["hex"]) == h)
    for n in near(h):
        if t.is_sea(n):
            yield step(colour, here, {"hex": n, "on": "sea"})
            if t.cell(h).get("dolphins", 0) > carried:
                yield {**step(colour, here, {"hex": n, "on": "sea"}), "dolphin": True}
    if t.has_room(h):
        yield step(colour, here, {"hex": h, "on": "boat"})
    if h in landing:
        yield step(colour, here, {"safe": landing[h]})


def from_boat(t, h, colour, landing):
    here = {"hex": h, "on": "boat"}
    swum, there = t.swum("boat", h, colour), t.aboard(h)[colour]
    if swum < there:
        yield step(colour, here, {"hex": h, "on": "sea"})
    dry_moves = [step(colour, here, {"hex": n, "on": "boat"}) for n in near(h) if t.has_room(n)]
    if h in landing:
        dry_moves.append(step(colour, here, {"safe": landing[h]}))
    for action in dry_moves:
        yield action
        if 0 < swum < there:
            yield {**action, "swum": True}


def sink(t):
    terrain = next(kind for kind in ("beach", "forest", "mountain") if t.tiles(kind))
    by_the_sea = [h for h in t.tiles(terrain) if any(t.is_sea(n) for n in near(h))]
    for h in by_the_sea or t.tiles(terrain):
        yield {"type": "sink_tile", "hex": h}


def reveal(t):
    for back, left in t.p["backs"][t.p["sunk"]["tile"]].items():
        if left:
            yield {"type": "reveal", "back": back}


def load_boat(t):
    swimmers = t.swimmers(tuple(t.p["sunk"]["hex"]))
    colours = list(swimmers)
    for numbers in itertools.product(range(4), repeat=len(colours)):
        if sum(numbers) == 3 and all(n <= swimmers[c] for n, c in zip(numbers, colours, strict=True)):
            yield {"type": "load_boat", "explorers": {c: n for n, c in zip(numbers, colours, strict=True) if n}}


def roll(t):
    yield {"type": "roll"}


def creature(t):
    if t.p["options"]["dive_dice"]:
        yield from dive(t)
        return
    kind = t.p["die"]
    most = {"serpent": 1, "shark": 2, "whale": 3}[kind]

    def stops(n):
        if kind == "shark":
            return bool(t.swimmers(n))
        return kind == "whale" and bool(t.aboard(n))

    for h in HEXES:
        if t.has(h, kind):
            for to in paths_end(h, most, t.is_sea, stops):
                yield {"type": "move_creature", "creature": kind, "from": h, "to": to}
    yield {"type": "end_phase"}


def never(h):
    return False


def dive(t):
    """13.2, 13.3."""
    rolled, hexes = t.p["die"]["creature"], t.p["die"]["hexes"]
    kinds = ["serpent", "shark", "whale", "dolphin", "boat"] if rolled == "star" else [rolled]
    for kind in kinds:
        for h in HEXES:
            if kind == "boat" and not (t.has_boat(h) and not t.aboard(h)):
                continue
            if kind != "boat" and not t.has(h, kind):
                continue
            if hexes == "D":
                ends = {to for to in HEXES if not t.cell(to)}
            elif kind == "boat":
                ends = paths_end(h, hexes, lambda n: t.is_sea(n) and not t.has_boat(n), never)
            else:
                prey = {
                    "shark": lambda n: bool(t.swimmers(n)),
                    "whale": lambda n: bool(t.aboard(n)),
                    "serpent": lambda n: bool(t.swimmers(n) or t.aboard(n)),
                    "dolphin": never,
                }[kind]
                ends = paths_end(h, hexes, t.is_sea, prey)
            for to in ends:
                yield {"type": "move_creature", "creature": kind, "from": h, "to": to}
    yield {"type": "end_phase"}


def protect(t):
    """13.4."""
    threat = t.p["threat"]
    h = tuple(threat["hex"])
    own = t.p["players"][threat["asked"][0]]["colours"]
    left = t.cell(h)["dolphins"] - sum(threat["protected"].values())
    counts = [range(t.swimmers(h).get(c, 0) + 1) for c in own]
    for numbers in itertools.product(*counts):
        if sum(numbers) <= left:
            yield {"type": "protect", "explorers": {c: n for c, n in zip(own, numbers, strict=True) if n}}


def reaction(t):
    threat = t.p["threat"]
    player = threat["asked"][0]
    if threat["creature"] + "_defence" in t.p["hands"][player]:
        yield {"type": "defend", "player": player}
    yield {"type": "decline", "player": player}


def nothing(t):
    return []


LISTS = {
    "place_explorers": place_explorers,
    "place_boats": place_boats,
    "play_tile": play_tile,
    "move": move,
    "sink": sink,
    "reveal": reveal,
    "load_boat": load_boat,
    "roll": roll,
    "creature": creature,
    "reaction": reaction,
    "protect": protect,
    "scoring": nothing,
    "over": nothing,
}
