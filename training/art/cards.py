"""The corner cards."""

from __future__ import annotations

from hardware.simulated.arrays import Image
from hardware.simulated.art import paint_card
from hardware.simulated.plan import MARKER_IDS


def card(marker_id: int) -> Image:
    """The white card, 60 x 60 mm at 6 px/mm, with that 40 mm marker of DICT_4X4_50, its top to the north.

    Raises ValueError for a marker that lies at no corner.
    """
    for corner, number in MARKER_IDS.items():
        if number == marker_id:
            return paint_card(corner)
    raise ValueError(f"No corner card bears the marker {marker_id}; they are {sorted(MARKER_IDS.values())}.")
