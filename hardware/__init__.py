"""The devices on the table: camera, panel, and the simulated table that stands in for them."""

from hardware.errors import CameraError, HardwareError, PanelError

__all__ = ["CameraError", "HardwareError", "PanelError"]
