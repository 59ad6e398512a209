"""`companion print`: corner cards, lens sheet, ruler and swatch layout as a PDF of true size."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion.cli.arguments import place
from companion.cli.written import telling_of_a_new_folder
from companion.i18n import LanguageError, set_language
from companion.printing import PAPERS, PARTS, PrintError, write_targets
from companion.settings import SettingsError, folders, load_settings

ERRORS: tuple[type[Exception], ...] = (LanguageError, PrintError, SettingsError)
DEFAULT_OUT = Path("companion-targets.pdf")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--out", metavar="FILE", type=place, default=DEFAULT_OUT, help=f"the PDF ({DEFAULT_OUT})")
    parser.add_argument("--paper", choices=tuple(PAPERS), default="a4", help="the printer's paper (a4)")
    parser.add_argument(
        "--only", metavar="PAGES", type=_parts, default=tuple(PARTS), help=f"some of {','.join(PARTS)}, with commas"
    )


def run(args: argparse.Namespace) -> int:
    """Write the PDF. Raises PrintError; an older file is untouched then."""
    set_language(load_settings(folders().settings).language)
    with telling_of_a_new_folder("print", args.out):
        write_targets(args.out, PAPERS[args.paper], args.only)
    print(f"{args.out}: print it at 100 %, do not fit to page.")
    return 0


def _parts(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    unknown = [part for part in parts if part not in PARTS]
    if unknown:
        raise argparse.ArgumentTypeError(f"there is no page {unknown[0]!r}: there are {', '.join(PARTS)}")
    return parts
