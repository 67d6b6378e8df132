"""The sample set-up as orders, for the dice it was made for."""

from __future__ import annotations

from pbem.engine.model import Order
from pbem.games.ctv.orders import SetUp
from tests.games.ctv.table import system

