"""A table that is not there: draws any layout as a camera above a real one would see it."""

from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.session import swatch_layout, write_frame, write_session
from hardware.simulated.styles import STYLES
from hardware.simulated.table import SimulatedTable

__all__ = ["STYLES", "SimulatedCamera", "SimulatedTable", "swatch_layout", "write_frame", "write_session"]
