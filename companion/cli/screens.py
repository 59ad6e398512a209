"""`companion screens`: a picture of every screen in every state and language, and a sheet of all of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from companion.cli.arguments import place, size
from companion.cli.contact_sheet import contact_sheet
from companion.cli.progress import progress
from companion.i18n import available
from companion.scenes.catalogue import SCENES
from companion.scenes.scene import Scene
from companion.ui.environment import NoWindowError


class ScreensError(Exception):
    """The pictures cannot be written; the text says where and why."""


ERRORS: tuple[type[Exception], ...] = (NoWindowError, ScreensError)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to, and which of them."""
    parser.add_argument("--out", metavar="DIR", type=place, required=True, help="the folder for the pictures")
    parser.add_argument(
        "--language", metavar="LANGUAGE", choices=available(), action="append", dest="languages",
        help=f"one of {', '.join(available())}; may be said several times (all)",
    )  # fmt: skip
    parser.add_argument(
        "--size", metavar="WxH", type=size, default=(800, 480),
        help="of the screen, in px (800x480); taller than wide it stands upright",
    )  # fmt: skip
    parser.add_argument(
        "--only",
        metavar="NAME",
        type=_scenes,
        default=SCENES,
        help="the screens whose name begins so, like 04 or 06_roll",
    )


def run(args: argparse.Namespace) -> int:
    """Draw them all. Raises ScreensError, NoWindowError; what was written until then stays."""
    languages: Sequence[str] = args.languages or available()
    try:
        for code in languages:
            folder: Path = args.out / code
            folder.mkdir(parents=True, exist_ok=True)
            scenes = progress(args.only, code)
            pictures = dict(_draw(code, scenes, args.size, folder))
            (args.out / f"{code}.png").write_bytes(contact_sheet(pictures))
    except OSError as error:
        raise ScreensError(
            f"{error.filename or args.out}: cannot be written ({error.strerror or error}); make room, or name another "
            "folder with --out."
        ) from error
    count = len(args.only) * len(languages)
    print(f"{args.out}: {count} pictures, and a sheet of all of them for each language ({', '.join(languages)}).")
    return 0


def _draw(code: str, scenes: Iterable[Scene], px: tuple[int, int], folder: Path) -> Iterator[tuple[str, bytes]]:
    from companion.ui.snapshot import picture_of

    for scene in scenes:
        picture = picture_of(scene.state(code), px, scene.finger)
        (folder / f"{scene.name}.png").write_bytes(picture)
        yield scene.name, picture


def _scenes(text: str) -> tuple[Scene, ...]:
    found = tuple(scene for scene in SCENES if scene.name.startswith(text))
    if not found:
        raise argparse.ArgumentTypeError(
            f"no screen's name begins with {text!r}: there are 01_home to {SCENES[-1].name}"
        )
    return found
