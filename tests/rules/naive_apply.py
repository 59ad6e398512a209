"""The second, slow and plain reading of the rules, continued: what an action does, on positions as JSON.

It shares nothing with the engine but the board file. Outcomes of chance come with the action.
"""

import copy

from naive import BOARD, Table, near

AT_ONCE = {"shark", "whale", "boat", "whirlpool", "volcano"}


class Play(Table):
    """A copy of the position that the action is carried out on."""

    def __init__(self, position):
        super().__init__(copy.deepcopy(position))
        self.n = len(self.p["players"])
        self.options = self.p["options"]
        self.dive = self.options["dive_dice"]

    def get(self, h):
        return self.cells.setdefault(h, {"hex": list(h)})

    def owner(self, colour):
        return next(i for i, player in enumerate(self.p["players"]) if colour in player["colours"])

    # pieces

    def change(self, h, field, colour, by):
        counts = self.get(h).setdefault(field, {})
        counts[colour] = counts.get(colour, 0) + by
        if not counts[colour]:
            del counts[colour]

    def creature(self, h, kind, by):
        self.get(h)[kind + "s"] = self.get(h).get(kind + "s", 0) + by

    def set_swum(self, on, h, colour, count):
        rest = [s for s in self.p["swum"] if (s["on"], tuple(s["hex"]), s["colour"]) != (on, h, colour)]
        if count:
            rest.append({"hex": list(h), "on": on, "colour": colour, "count": count})
        self.p["swum"] = rest

    def shift_swum(self, origin, target):
        """All swum marks of a place go to another, or with None are gone."""
        for s in list(self.p["swum"]):
            on, h = s["on"], tuple(s["hex"])
            if (on, h) == origin:
                self.set_swum(on, h, s["colour"], 0)
                if target:
                    there = self.swum(*target, s["colour"])
                    self.set_swum(*target, s["colour"], there + s["count"])

    def explorers_of(self, player):
        total = 0
        for colour in self.p["players"][player]["colours"]:
            for cell in self.cells.values():
                total += cell.get("explorers", {}).get(colour, 0) + cell.get("boat", {}).get(colour, 0)
        return total

    # 3: phases

    def turn_to(self, player):
        self.p.update(active=player, die=None)
        if self.p["hands"][player]:
            self.p["phase"] = "play_tile"
        else:
            self.begin_move()

    def begin_move(self):
        if self.explorers_of(self.p["active"]):
            self.p.update(phase="move", moves_left=3)
        else:
            self.begin_sink()

    def begin_sink(self):
        self.p.update(swum=[], moves_left=0, phase="sink" if self.tiles() else "roll")
        if self.dive:
            self.p["carried"] = []

    def done(self, phase):
        """Everything that followed from an action of this phase is settled."""
        if self.options["last_survivor"] and not any(self.explorers_of(i) for i in range(self.n)):
            self.end()
        elif phase == "play_tile":
            self.begin_move()
        elif phase == "move":
            if self.p["moves_left"]:
                self.p["phase"] = "move"
            else:
                self.begin_sink()
        elif phase == "sink":
            if self.options["atlantis_sinks"] and not self.tiles():
                self.end()
            else:
                self.p["phase"] = "roll"
        else:
            self.turn_to((self.p["active"] + 1) % self.n)

    def end(self):
        self.p.update(swum=[], die=None, threat=None, sunk=None, phase="scoring", moves_left=0)
        if self.dive:
            self.p["carried"] = []
        rescued = [0] * self.n
        for land in self.p["layout"]["safe"].values():
            for colour, count in land.items():
                rescued[self.owner(colour)] += count
        if self.options["all_equal"] or not any(rescued):
            best = max(rescued)
            self.p.update(phase="over", winners=[i for i in range(self.n) if rescued[i] == best])

    # 8, 9, 13.4

    def clockwise(self, counts, with_active):
        order = [(self.p["active"] + i) % self.n for i in range(self.n)]
        owners = {self.owner(colour) for colour, count in counts.items() if count}
        return [i for i in order if i in owners and (with_active or i != self.p["active"])]

    def settle(self, h, phase, moved=None):
        while True:
            if self.has(h, "serpent") and self.aboard(h):
                del self.cells[h]["boat"]
                self.shift_swum(("boat", h), None)
                continue
            dolphins = self.cell(h).get("dolphins", 0)
            exposed = sum(self.swimmers(h).values()) > dolphins
            if self.has(h, "serpent") and exposed:
                kind = "serpent"
            elif self.has(h, "whale") and self.aboard(h):
                kind = "whale"
            elif self.has(h, "shark") and exposed:
                kind = "shark"
            else:
                self.p["threat"] = None
                self.done(phase)
                return
            threat = {"creature": kind, "hex": list(h), "resume": phase, "moved": kind == moved, "protected": {}}
            moved = None
            if kind != "whale" and dolphins:
                threat["asked"] = self.clockwise(self.swimmers(h), with_active=True)
                self.p.update(phase="protect", threat=threat)
                return
            if self.ask_defence(threat):
                return
            self.strike(threat)

    def ask_defence(self, threat):
        h = tuple(threat["hex"])
        prey = dict(self.aboard(h) if threat["creature"] == "whale" else self.swimmers(h))
        for colour, count in threat["protected"].items():
            prey[colour] -= count
        threat["asked"] = self.clockwise(prey, with_active=False)
        may = threat["creature"] != "serpent" and (threat["moved"] or self.options["defence"] == "any")
        if may and threat["asked"]:
            self.p.update(phase="reaction", threat=threat)
            return True
        return False

    def strike(self, threat):
        h = tuple(threat["hex"])
        if threat["creature"] == "whale":
            for colour, count in self.cells[h].pop("boat").items():
                self.change(h, "explorers", colour, count)
            self.shift_swum(("boat", h), ("sea", h))
            return
        for colour, count in list(self.swimmers(h).items()):
            eaten = count - threat["protected"].get(colour, 0)
            self.change(h, "explorers", colour, -eaten)
            self.set_swum("sea", h, colour, max(0, self.swum("sea", h, colour) - eaten))

    # 6

    def turn_over(self, h, terrain, back):
        self.p["backs"][terrain][back] -= 1
        self.p["sunk"] = None
        active = self.p["active"]
        if back == "dolphin" and self.dive:
            self.creature(h, "dolphin", 1)
        elif back not in AT_ONCE:
            self.p["hands"][active].append(back)
        elif back in ("shark", "whale"):
            if self.p["supply"][back + "s"]:
                self.p["supply"][back + "s"] -= 1
                self.creature(h, back, 1)
            self.settle(h, "sink")
            return
        elif back == "boat":
            if self.p["supply"]["boats"]:
                self.p["supply"]["boats"] -= 1
                self.get(h)["boat"] = {}
                if sum(self.swimmers(h).values()) > 3:
                    self.p.update(phase="load_boat", sunk={"hex": list(h), "tile": terrain})
                    return
                self.cells[h]["boat"] = self.cells[h].pop("explorers", {})
        elif back == "volcano" and not self.options["last_survivor"] and not self.options["atlantis_sinks"]:
            self.end()
            return
        else:
            for n in [h, *near(h)]:
                if self.is_sea(n):
                    self.cells.pop(n, None)
        self.done("sink")

    # what people do

    def place_explorer(self, a):
        self.change(tuple(a["hex"]), "explorers", a["colour"], 1)
        left = self.p["unplaced"]["explorers"]
        left[a["colour"]] -= 1
        for i in range(1, self.n + 1):
            player = (self.p["active"] + i) % self.n
            if any(left.get(colour) for colour in self.p["players"][player]["colours"]):
                self.p["active"] = player
                return
        self.p.update(active=0, phase="place_boats")
        if not any(self.p["unplaced"]["boats"]):
            self.turn_to(0)

    def place_boat(self, a):
        self.get(tuple(a["hex"]))["boat"] = {}
        self.p["unplaced"]["boats"][self.p["active"]] -= 1
        self.p["active"] = (self.p["active"] + 1) % self.n
        if not any(self.p["unplaced"]["boats"]):
            self.turn_to(0)

    def play_tile(self, a):
        self.p["hands"][self.p["active"]].remove(a["tile"])
        origin, target = tuple(a["from"]), tuple(a["to"])
        if a["tile"] == "dolphin":
            self.change(origin, "explorers", a["colour"], -1)
            self.change(target, "explorers", a["colour"], 1)
        elif a["tile"] == "wind":
            self.get(target)["boat"] = self.cells[origin].pop("boat")
        else:
            kind = a["tile"].removeprefix("move_")
            self.creature(origin, kind, -1)
            self.creature(target, kind, 1)
        self.settle(target, "play_tile")

    def move_explorer(self, a):
        colour, origin, target = a["colour"], a["from"], a["to"]
        h, on = tuple(origin["hex"]), origin["on"]
        here = self.cell(h)["boat" if on == "boat" else "explorers"][colour]
        swum = self.swum(on, h, colour)
        mover_has = a.get("swum", False) or (swum and swum == here)
        self.change(h, "boat" if on == "boat" else "explorers", colour, -1)
        if mover_has:
            self.set_swum(on, h, colour, swum - 1)
        self.p["moves_left"] -= 1
        if "safe" in target:
            land = self.p["layout"]["safe"].setdefault(target["safe"], {})
            land[colour] = land.get(colour, 0) + 1
            self.done("move")
            return
        to = tuple(target["hex"])
        self.change(to, "boat" if target["on"] == "boat" else "explorers", colour, 1)
        if mover_has or "sea" in (on, target["on"]):
            self.set_swum(target["on"], to, colour, self.swum(target["on"], to, colour) + 1)
        if a.get("dolphin"):
            self.creature(h, "dolphin", -1)
            self.creature(to, "dolphin", 1)
            carried = {tuple(c["hex"]): c["count"] for c in self.p["carried"]}
            carried[to] = carried.get(to, 0) + 1
            self.p["carried"] = [{"hex": list(k), "count": v} for k, v in carried.items()]
        if target["on"] == "tile":
            self.done("move")
        else:
            self.settle(to, "move")

    def move_boat(self, a):
        origin, target = tuple(a["from"]), tuple(a["to"])
        self.get(target)["boat"] = self.cells[origin].pop("boat")
        self.shift_swum(("boat", origin), ("boat", target))
        self.p["moves_left"] -= 1
        self.settle(target, "move")

    def sink_tile(self, a):
        h = tuple(a["hex"])
        terrain = self.cells[h].pop("tile")
        if self.options["backs"] == "printed":
            self.p.update(phase="reveal", sunk={"hex": list(h), "tile": terrain})
        else:
            self.turn_over(h, terrain, a["back"])

    def reveal(self, a):
        sunk = self.p["sunk"]
        self.turn_over(tuple(sunk["hex"]), sunk["tile"], a["back"])

    def load_boat(self, a):
        h = tuple(self.p["sunk"]["hex"])
        for colour, count in a["explorers"].items():
            self.change(h, "explorers", colour, -count)
            self.change(h, "boat", colour, count)
        self.p["sunk"] = None
        self.settle(h, "sink")

    def roll(self, a):
        rolled = a["face"]["creature"] if self.dive else a["face"]
        kinds = ["serpent", "shark", "whale", "dolphin", "boat"] if rolled == "star" else [rolled]
        empty = any(cell.get("boat") == {} for cell in self.cells.values())
        if any(self.has(h, kind) for h in BOARD.hexes for kind in kinds) or ("boat" in kinds and empty):
            self.p.update(die=a["face"], phase="creature")
        else:
            self.turn_to((self.p["active"] + 1) % self.n)

    def move_creature(self, a):
        kind, origin, target = a["creature"], tuple(a["from"]), tuple(a["to"])
        if kind == "boat":
            self.get(target)["boat"] = self.cells[origin].pop("boat")
            self.done("creature")
            return
        self.creature(origin, kind, -1)
        self.creature(target, kind, 1)
        self.settle(origin if kind == "dolphin" else target, "creature", moved=kind)

    def protect(self, a):
        threat = self.p["threat"]
        h = tuple(threat["hex"])
        for colour, count in a["explorers"].items():
            threat["protected"][colour] = threat["protected"].get(colour, 0) + count
        threat["asked"].pop(0)
        if threat["asked"] and sum(threat["protected"].values()) < self.cells[h]["dolphins"]:
            return
        if not self.ask_defence(threat):
            self.strike(threat)
            self.settle(h, threat["resume"])

    def decline(self, a):  # noqa: ARG002 - one signature for all actions
        threat = self.p["threat"]
        threat["asked"].pop(0)
        if not threat["asked"]:
            self.strike({"protected": {}, **threat})
            self.settle(tuple(threat["hex"]), threat["resume"])

    def defend(self, a):
        threat = self.p["threat"]
        self.p["hands"][a["player"]].remove(threat["creature"] + "_defence")
        self.creature(tuple(threat["hex"]), threat["creature"], -1)
        self.settle(tuple(threat["hex"]), threat["resume"])

    def end_phase(self, a):  # noqa: ARG002 - one signature for all actions
        self.p["moves_left"] = 0
        self.done(self.p["phase"])


def comparable(position):
    """Without what carries no meaning: order, zeros, fields that do not count in the phase."""
    p = copy.deepcopy(position)
    cells = []
    for cell in p["layout"]["hexes"]:
        kept = {k: v for k, v in cell.items() if v or (k == "boat" and v is not None)}
        if len(kept) > 1:
            cells.append(kept)
    p["layout"]["hexes"] = sorted(cells, key=lambda cell: cell["hex"])
    p["hands"] = [sorted(hand) for hand in p["hands"]]
    p["backs"] = {terrain: {b: n for b, n in left.items() if n} for terrain, left in p["backs"].items()}
    p["swum"] = sorted(p["swum"], key=str)
    threat = p["threat"]
    if threat:
        threat.setdefault("protected", {})
        threat["protected"] = {c: n for c, n in threat["protected"].items() if n}
        if p["phase"] != "protect":
            threat.pop("moved", None)
    if "carried" in p:
        p["carried"] = sorted(p["carried"], key=str)
    if p["phase"] != "move" and not (threat and threat["resume"] == "move"):
        p["moves_left"] = None
    return p


def apply(position, action):
    """The position after a legal action."""
    play = Play(position)
    getattr(play, action["type"])(action)
    play.p["layout"]["hexes"] = list(play.cells.values())
    return play.p
