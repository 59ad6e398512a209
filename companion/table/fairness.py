"""Chance that can be checked: everything the dealer deals follows from one secret seed that it commits itself to.

At the start 32 bytes come from the system's entropy. The n-th outcome of a stream ("die", "beach", ...) is a function
of seed, stream, n and what can come; so the order of each deck and every roll are settled before the first move, and
nobody, the companion included, can change them afterwards. The fingerprint published at the start is the SHA-256 of
the `commitment`: seed and decks as one line of JSON. At the end that line is shown, and whoever likes can hash
it with any tool and deal the game again (`verify`).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Mapping

import msgspec

SEED_BYTES = 32

SHOWN_DIGITS = 20
"""So many hexadecimal digits of the fingerprint bind: 80 bits, for which no second seed can be found."""


def draw(seed: bytes, stream: str, n: int, outcomes: Iterable[tuple[str, int]]) -> str:
    """The n-th outcome of a stream (from 0), each as likely as its weight says, in whatever order they are listed.

    The ticket is HMAC-SHA256 of "stream:n" under the seed, as a number modulo the sum of weights; with 256 bits the
    bias is below 1 in 10^70.
    """
    ranked = sorted(outcomes)
    ticket = int.from_bytes(hmac.digest(seed, f"{stream}:{n}".encode(), "sha256")) % sum(w for _, w in ranked)
    for outcome, weight in ranked:
        ticket -= weight
        if ticket < 0:
            return outcome
    raise AssertionError("the ticket is below the sum of the weights")


def deck_order(seed: bytes, stream: str, deck: Mapping[str, int]) -> tuple[str, ...]:
    """The whole deck in the order in which it comes if nothing is ever taken back."""
    left = dict(deck)
    order = []
    for n in range(sum(deck.values())):
        card = draw(seed, stream, n, ((c, count) for c, count in left.items() if count))
        left[card] -= 1
        order.append(card)
    return tuple(order)


def commitment(seed: bytes, decks: Mapping[str, Mapping[str, int]]) -> str:
    """What the dealer commits itself to, as one line of JSON: the decks in their order, and the seed in hex. Secret."""
    orders = {stream: deck_order(seed, stream, decks[stream]) for stream in sorted(decks)}
    return msgspec.json.encode({"decks": orders, "seed": seed.hex()}).decode()


def fingerprint(seed: bytes, decks: Mapping[str, Mapping[str, int]]) -> str:
    """SHA-256 of the commitment in hex: what is shown at the start."""
    return hashlib.sha256(commitment(seed, decks).encode()).hexdigest()
