"""What can be wrong with what people, files or programs ask of the rules; every text is for people."""

# ruff: noqa: N818 - they are named as the protocol names what is wrong

from __future__ import annotations


class RulesError(ValueError):
    """Base of all errors of this package; nothing has changed when one is raised."""


class BadSetup(RulesError):
    """Players, options or tiles that 2.1, 2.2 or 12 forbid."""


class BadPosition(RulesError):
    """A position that is malformed or cannot be; `field` says where, `reason` why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class BadAction(RulesError):
    """An action that is malformed, or lacks or wrongly carries an outcome of chance."""


class IllegalAction(RulesError):
    """A well-formed action that a rule forbids: `rule` is its number, `message` the sentence for people."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
