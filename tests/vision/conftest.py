"""What tests of recognition know of the table's pictures."""

import msgspec
import pytest

from companion.rules.geometry import load_board
from companion.rules.layout import decode_layout


@pytest.fixture(scope="session")
def truth(table_dir):
    """What lies on the board in f01."""
    seen = msgspec.json.decode((table_dir / "f01.json").read_bytes())
    return decode_layout({"hexes": seen["hexes"], "safe": seen["safe"]}, load_board())
