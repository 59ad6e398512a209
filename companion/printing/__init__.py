"""What is printed once before the first game: corner cards, lens sheet, ruler, swatch layout, as a PDF of true size."""

from companion.printing.document import PAPERS, PARTS, Paper, PrintError, write_targets

__all__ = ["PAPERS", "PARTS", "Paper", "PrintError", "write_targets"]
