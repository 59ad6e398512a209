"""The staged table of the scenes, by the name that these tests know it by."""

from companion.scenes.staged_table import StagedTable as FakeTable

__all__ = ["FakeTable"]
