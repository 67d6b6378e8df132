"""Every cheat and every kind of damage is refused with its own class, never with a traceback."""

import pytest

from pbem.gamefile.verify import examine
from tests.gamefile.mutations import GOOD, cases, packed, too_large
from tests.gamefile.toy import open_toy


@pytest.mark.parametrize(
    "case", [*cases(), *packed(), *too_large()], ids=lambda case: f"{case.number}-{case.what[:50]}"
)
def test_case(case):
    report = examine(case.raw, open_toy)
    found = [finding.problem.code for finding in report.findings] or [GOOD]
    assert found[0] == case.expected, report.findings
    assert case.expected == GOOD or "cannot be judged" not in report.findings[0].problem.message
