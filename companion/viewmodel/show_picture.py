"""What the camera sees, shown when people ask: why something is said to be wrong, or how the whole board looks to it.

In: the table's link, the hexes in question. Out: a `PictureCard`, which goes by itself with what it was asked about.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.i18n import _, listed, pgettext
from companion.rules.geometry import Hex
from companion.viewmodel.desk import Desk
from companion.viewmodel.presenter import DialogPresenter
from companion.viewmodel.states import Button, LivePicture, PictureCard
from companion.viewmodel.table_link import Seeing, TableLink
from companion.viewmodel.words import label


def table_in_sight(desk: Desk) -> TableLink | None:
    """The table that can be shown; None while there is no camera, or no picture from it."""
    table = desk.shell.table
    return table if table and desk.camera and isinstance(table.status, Seeing) else None


def show_picture(desk: Desk, hexes: tuple[Hex, ...], holds: Callable[[], bool]) -> None:
    """Put the card up, if there is a picture; it goes when `holds` says that what it was asked about is over."""
    if table := table_in_sight(desk):
        desk.shell.ask(ShowPicture(desk, table, hexes, holds))


class ShowPicture(DialogPresenter):
    """The picture that was read last, cut out round some hexes; without any the whole board."""

    def __init__(self, desk: Desk, table: TableLink, hexes: tuple[Hex, ...], holds: Callable[[], bool]) -> None:
        self._desk, self._table, self._hexes, self._holds = desk, table, hexes, holds
        self._has_come = False
        table.show(hexes)

    def state(self) -> PictureCard:
        """The picture, or that it is on its way."""
        lies = _("It lies as on the screen, seen from straight above.")
        marked = _("Marked: {hexes}.").format(hexes=listed(label(h) for h in self._hexes))
        cutout = self._table.cutout
        return PictureCard(
            title=_("What the camera saw"),
            text=f"{lies} {marked}" if self._hexes else lies,
            picture=LivePicture(jpeg=cutout.jpeg, size=cutout.size, window=(0, 0, *cutout.size)) if cutout else None,
            outlines=cutout.outlines if cutout else (),
            blank=_("The picture is on its way."),
            safe=Button(id="close", text=pgettext("a notice is read", "Go on"), kind="primary"),
        )

    def refresh(self) -> bool:
        """The picture has come, or will not come, or nobody needs it any more."""
        lost = self._table.cutout is None and table_in_sight(self._desk) is None
        if lost or not self._holds():
            self._desk.shell.ask(None)
            return True
        had, self._has_come = self._has_come, self._table.cutout is not None
        return had != self._has_come
