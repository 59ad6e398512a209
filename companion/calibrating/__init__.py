"""The guided calibration as a model: what step it is, what is in the way, what is ready to be taken. No I/O."""

from companion.calibrating.guide import Guide
from companion.calibrating.state import GuideState, StepName

__all__ = ["Guide", "GuideState", "StepName"]
