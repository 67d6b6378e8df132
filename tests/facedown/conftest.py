"""Fog on the Ridge can be imported by its name in the tests of this folder."""

from __future__ import annotations

from tests.facedown.here import system

system()
