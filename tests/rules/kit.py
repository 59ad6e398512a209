"""What the rule tests are written with: positions in hex labels, short actions, random games.

A hex's content is a line of words: `beach`, `forest` or `mountain`; colours for explorers standing or swimming there;
`boat`, `boat:red,blue` with passengers; `serpent`, `shark`, `whale`.
"""

import random

import pytest

from companion.rules import (
    BACKS,
    TILE_DECK,
    IllegalAction,
    Options,
    Player,
    apply,
    check,
    decode_action,
    decode_position,
    encode_action,
    encode_event,
    legal_actions,
    new_game,
    outcomes,
    with_outcome,
)
from companion.rules.actions import MoveExplorer
from companion.rules.geometry import load_board

BOARD = load_board("anniversary")
NAMES = ("Ann", "Bo", "Cy", "Di")
COLOURS = ("red", "blue", "yellow", "green")
ONE_EACH = [["red"], ["blue"], ["yellow"], ["green"]]


def hex_of(label):
    return BOARD.by_label[label]


def players_of(colours):
    return [{"name": NAMES[i], "colours": list(own)} for i, own in enumerate(colours)]


def _cell(label, words):
    cell = {"hex": list(hex_of(label))}
    for word in words.split():
        if word in ("beach", "forest", "mountain"):
            cell["tile"] = word
        elif word in COLOURS:
            cell.setdefault("explorers", {}).setdefault(word, 0)
            cell["explorers"][word] += 1
        elif word.startswith("boat"):
            cell["boat"] = {}
            for colour in filter(None, word[5:].split(",")):
                cell["boat"][colour] = cell["boat"].get(colour, 0) + 1
        else:
            cell[word + "s"] = cell.get(word + "s", 0) + 1
    return cell


def _fill_backs(cells, hands, sunk, under):
    """Some backs for the tiles: first `under`, none that is in a hand, the volcano last."""
    spare = [back for hand in hands for back in hand]
    spare += ["dolphin"] * sum(cell.get("dolphins", 0) for cell in cells)
    backs = {}
    for terrain in ("beach", "forest", "mountain"):
        tiles = sum(cell.get("tile") == terrain for cell in cells) + (sunk == terrain)
        deck = []
        for back, count in sorted(BACKS[terrain].items(), key=lambda item: (item[0] != under, item[0] == "volcano")):
            for _ in range(count):
                if back in spare:
                    spare.remove(back)
                else:
                    deck.append(back)
        backs[terrain] = {back: deck[:tiles].count(back) for back in deck[:tiles]}
    return backs


def at_table(at, *, colours=2, safe=None, options=None, backs=None, under=None, supply=None, swum=(), **fields):
    """The position as a JSON object: by default red's (Ann's) move, blue (Bo) next, as much left over as can be.

    `colours` is a number of players with one colour each or a list of colours by player; `under` is a back that is
    surely left under the tiles of its terrains.
    """
    seats = ONE_EACH[:colours] if isinstance(colours, int) else colours
    cells = [_cell(label, words) for label, words in at.items()]
    hands = fields.pop("hands", [[] for _ in seats])
    sunk = fields.pop("sunk", None)
    phase = fields.pop("phase", "move")
    on_board = {kind: sum(cell.get(kind, 0) for cell in cells) for kind in ("sharks", "whales")}
    boats = sum("boat" in cell for cell in cells)
    position = {
        "edition": "anniversary",
        "options": options or {},
        "players": players_of(seats),
        "layout": {"hexes": cells, "safe": safe or {}},
        "active": 0,
        "phase": phase,
        "moves_left": 3 if phase == "move" else 0,
        "swum": [{"hex": list(hex_of(label)), "on": on, "colour": c, "count": n} for label, on, c, n in swum],
        "die": None,
        "hands": hands,
        "backs": backs or _fill_backs(cells, hands, sunk[1] if sunk and phase == "reveal" else None, under),
        "supply": {"boats": 12 - boats, "sharks": 6 - on_board["sharks"], "whales": 5 - on_board["whales"]},
        "unplaced": {"explorers": {}, "boats": [0 for _ in seats]},
        "threat": None,
        "sunk": {"hex": list(hex_of(sunk[0])), "tile": sunk[1]} if sunk else None,
        "scores": {},
        "winners": None,
    }
    position["supply"].update(supply or {})
    position.update(fields)
    return position


def table(at, **fields):
    """The same as a Position."""
    return decode_position(at_table(at, **fields))


def place(text):
    """`E7` the tile, `E7 sea`, `E7 boat`, `safe nw`."""
    first, _, second = text.partition(" ")
    if first == "safe":
        return {"safe": second}
    return {"hex": list(hex_of(first)), "on": second or "tile"}


def move(colour, origin, target, **more):
    return decode_action(
        {"type": "move_explorer", "colour": colour, "from": place(origin), "to": place(target), **more}
    )


def act(kind, **fields):
    """An action; `hex`, `origin` and `target` in labels."""
    data = {"type": kind, **fields}
    for short, name in (("hex", "hex"), ("origin", "from"), ("target", "to")):
        if short in data:
            data[name] = list(hex_of(data.pop(short)))
    return decode_action(data)


def sail(origin, target):
    return act("move_boat", origin=origin, target=target)


def swim_creature(kind, origin, target):
    return act("move_creature", creature=kind, origin=origin, target=target)


def after(position, *actions):
    """The position after these actions."""
    for action in actions:
        position = apply(position, action).position
    return position


def events(position, action):
    """The events of an action as JSON objects."""
    return [encode_event(event) for event in apply(position, action).events]


def event(position, action, name):
    """The one event of that name."""
    (found,) = (e for e in events(position, action) if e["event"] == name)
    return found


def allowed(position, action):
    """It is listed and can be carried out."""
    check(position, action)
    assert encode_action(action) in [encode_action(a) for a in legal_actions(position)]
    return True


def refused(position, action, rule):
    """It is not listed and refused with this rule."""
    assert action not in legal_actions(position)
    with pytest.raises(IllegalAction) as caught:
        check(position, action)
    assert caught.value.rule == rule
    assert caught.value.message.endswith(".")
    return True


def sink(label, back=None):
    return act("sink_tile", hex=label, **({"back": back} if back else {}))


def steps(position):
    """Where the listed moves of explorers lead: `E7 tile`, `E7 sea`, `safe nw`."""
    return {
        f"safe {a.target.safe}" if a.target.safe else f"{BOARD.labels[a.target.hex]} {a.target.on}"
        for a in legal_actions(position)
        if isinstance(a, MoveExplorer)
    }


def targets(position, **fields):
    """Where the listed actions with these JSON fields lead: labels of `to`."""
    found = set()
    for action in map(encode_action, legal_actions(position)):
        if all(action.get(name) == value for name, value in fields.items()):
            found.add(BOARD.labels[tuple(action["to"])])
    return found


def at(position, label):
    """What a hex holds."""
    return position.layout().at(hex_of(label))


def random_tiles(rng):
    deck = list(TILE_DECK)
    rng.shuffle(deck)
    return dict(zip(BOARD.island, deck, strict=True))


VARIANTS = (
    (Options(), 4),
    (Options(backs="printed"), 3),
    (Options(defence="moved", last_survivor=True), 3),
    (Options(atlantis_sinks=True, overpopulation=True, backs="printed"), 2),
    (Options(all_equal=True, boats_per_player=3, atlantis_sinks=True), [["red", "green"], ["blue", "yellow"]]),
    (Options(last_survivor=True, boats_per_player=1), [["red", "blue"], ["yellow", "green"]]),
    (Options(dive_dice=True), 4),
    (
        Options(dive_dice=True, defence="moved", backs="printed", atlantis_sinks=True),
        [["red", "blue"], ["yellow", "green"]],
    ),
)
"""Options and seats that between them use every option both ways."""


def start(rng, options=None, seats=2):
    """A new game on random tiles."""
    colours = ONE_EACH[:seats] if isinstance(seats, int) else seats
    players = [Player(name=NAMES[i], colours=tuple(own)) for i, own in enumerate(colours)]
    return new_game(players, options or Options(), random_tiles(rng))


def complete(rng, position, action):
    """The action with an outcome drawn for it."""
    if possible := outcomes(position, action):
        kinds, weights = zip(*possible, strict=True)
        return with_outcome(action, rng.choices(kinds, weights)[0])
    return action


def lively(rng, position, legal):
    """A choice that makes much happen: off the island, into boats, towards safe land, seldom the end of a phase."""
    weights = []
    for action in legal:
        kind = type(action).__name__
        weight = {"EndPhase": 0.5, "PlayTile": 3, "MoveBoat": 2}.get(kind, 1)
        target = getattr(action, "target", None)
        on = getattr(target, "on", None)
        if kind == "MoveExplorer":
            weight = {"tile": 0.3, "sea": 1.5, "boat": 6, None: 20}[on]
        weights.append(weight)
    return rng.choices(legal, weights)[0]


def random_game(seed, options=None, seats=2, choose=lively):
    """Every position of a random game with the completed action that leads on from it."""
    rng = random.Random(seed)
    position = start(rng, options, seats)
    while legal := legal_actions(position):
        action = complete(rng, position, choose(rng, position, legal))
        yield position, action, legal
        position = apply(position, action).position
    yield position, None, []


def scattered(rng):
    """A random position in the middle of a game, everything crowded into few hexes, as JSON.

    It need not come about by play, but 8 is settled everywhere.
    """
    seats = rng.choice([2, 3, 4, [["red", "green"], ["blue", "yellow"]]])
    colours = [c for own in (ONE_EACH[:seats] if isinstance(seats, int) else seats) for c in own]
    phase = rng.choice(["play_tile", "move", "move", "move", "sink", "reveal", "load_boat", "roll", "creature"])
    words = {BOARD.labels[h]: [] for h in BOARD.hexes}
    lowest = rng.choice(["beach", "forest", "mountain"])
    sea = set(words)
    counts = {"beach": 10, "forest": 10, "mountain": 4}
    for h in rng.sample(BOARD.island, 40):
        terrain = next((t for t in counts if counts[t] and rng.random() < 0.5 and t >= lowest), None)
        if terrain:
            counts[terrain] -= 1
            words[BOARD.labels[h]].append(terrain)
            sea.discard(BOARD.labels[h])
    if len(sea) == len(words):
        words["G8"].append("mountain")
        sea.discard("G8")
    land = sorted(set(words) - sea)
    shore = sorted(s for s in sea if s in FAVOURED) + rng.sample(sorted(sea), 20)
    sunk = rng.choice([s for s in sea if hex_of(s) in BOARD.island] or [None])
    if sunk is None and phase in ("reveal", "load_boat"):
        phase = "sink"
    left = dict.fromkeys(colours, 10)
    boats = {}
    for spot in rng.sample(shore, 7):
        if spot not in boats and not (phase == "load_boat" and spot == sunk):
            boats[spot] = []
    swimmers = set()
    for colour in rng.choices(colours, k=rng.randint(5, 35)):
        spot = rng.choice(["tile", "sea", "boat"])
        if not left[colour]:
            continue
        left[colour] -= 1
        if spot == "boat" and (free := [b for b, load in boats.items() if len(load) < 3]):
            boats[rng.choice(free)].append(colour)
        elif spot == "tile":
            words[rng.choice(land)].append(colour)
        else:
            where = rng.choice(shore[:8])
            words[where].append(colour)
            swimmers.add(where)
    if phase == "load_boat":
        for colour in [c for c in colours if left[c]] * 4:
            if left[colour]:
                left[colour] -= 1
                words[sunk].append(colour)
        swimmers.add(sunk)
        boats[sunk] = []
        if sum(w in COLOURS for w in words[sunk]) <= 3:
            phase, boats[sunk] = "roll", []
    dive = rng.random() < 0.4 and phase != "play_tile"
    for spot in rng.sample(shore[:12], 4) if dive else ():
        words[spot].append("dolphin")
    for kind, most in (("serpent", 5), ("shark", 6), ("whale", 5)):
        for spot in rng.sample(shore, rng.randint(1, most)):
            laden = bool(boats.get(spot))
            exposed = sum(w in COLOURS for w in words[spot]) > words[spot].count("dolphin")
            if not (laden and kind != "shark") and not (spot in swimmers and exposed and kind != "whale"):
                words[spot].append(kind)
    at = {s: " ".join([*w, *(["boat:" + ",".join(boats[s])] if s in boats else [])]) for s, w in words.items()}
    at = {s: w.strip() for s, w in at.items() if w}
    fields = {}
    if phase == "creature":
        fields["die"] = rng.choice(["serpent", "shark", "whale"])
    if phase == "creature" and dive:
        kind = rng.choice(["serpent", "shark", "whale", "dolphin", "boat", "star"])
        fields["die"] = {"creature": kind, "hexes": rng.choice([1, 2, 3, "D"])}
    if phase in ("reveal", "load_boat"):
        fields["sunk"] = (sunk, lowest)
    others = [["shark_defence"], ["whale_defence"], ["shark_defence", "whale_defence"]]
    fields["hands"] = [[], *rng.sample(others, (seats if isinstance(seats, int) else 2) - 1)]
    if phase == "play_tile":
        fields["hands"][0] = ["dolphin", "wind", rng.choice(["move_serpent", "move_shark", "move_whale"])]
    if phase == "move":
        fields["moves_left"] = rng.randint(1, 3)
        own = ONE_EACH[0] if isinstance(seats, int) else seats[0]
        fields["swum"] = _some_swum(rng, own, words, sea, boats)
    options = {"backs": "printed" if phase == "reveal" else "dealt", "defence": rng.choice(["any", "moved"])}
    options["dive_dice"] = dive
    return at_table(at, colours=seats, phase=phase, options=options, **fields)


FAVOURED = ("B1", "C1", "B10", "C11", "K1", "L1", "L10", "K11", "G7", "G6", "G8", "F6", "H6", "F7", "H7")
"""Landing hexes and the middle of the board, where most happens."""


def _some_swum(rng, own, words, sea, boats):
    for spot in sorted(sea):
        for colour in own:
            for on, there in (("sea", words[spot].count(colour)), ("boat", boats.get(spot, []).count(colour))):
                if there and rng.random() < 0.6:
                    yield spot, on, colour, rng.randint(1, there)
