"""Drivers chosen by name: a table of modules and classes, of which only the chosen one is imported.

In: the table, a name, the options of the class. Out: the driver, not open yet.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from hardware.errors import HardwareError

Drivers = Mapping[str, tuple[str, str]]
"""Driver name to module and class."""


def make(
    kind: str, drivers: Drivers, name: str, options: Mapping[str, Any], error: Callable[[str], HardwareError]
) -> Any:
    """The driver of that name; `kind` says of what. Raises that `error` if name, options or its library is wrong."""
    if name not in drivers:
        raise error(f"There is no {kind} driver {name!r}; there are {', '.join(drivers)}.")
    module, driver = drivers[name]
    try:
        return getattr(importlib.import_module(module), driver)(**options)
    except ImportError as missing:
        raise error(f"The {kind} driver {name} needs {missing.name}: install it, or choose another.") from missing
    except (TypeError, ValueError) as wrong:
        raise error(f"The {kind} driver {name} cannot be set up: {wrong}") from wrong
