"""Settings of the console's agent.

The keys below repeat the harnesses of the policy tree, so that the agent can refuse a run it has no prompt for
before it spends anything. `harness.toml` holds the two lists in step; the policy is the one to change first.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

HARNESS_VERSION = "harness_v1"
PROMPT_VERSION = "console_v2"

HARNESS_KEYS = [
    "assay_biologist",
    "biostatistician",
    "clinical_pharmacologist",
    "clinical_scientist",
    "computational_chemist",
    "dmpk_scientist",
    "formulation_scientist",
    "manufacturing_specialist",
    "medicinal_chemist",
    "patent_analyst",
    "pharmacologist",
    "process_chemist",
    "program_lead",
    "program_owner",
    "quality_reviewer",
    "regulatory_strategist",
    "scientist",
    "structural_biologist",
    "toxicologist",
    "translational_scientist",
]

RUN_ROLES = ("console", "evidence", "plans", "review", "progress", "reader")


@dataclass(frozen=True)
class Settings:
    """What the container is started with; every field has its environment variable."""

    tool_server: str
    request_timeout_s: float

    @classmethod
    def from_env(cls) -> Settings:
        return cls(
            tool_server=os.environ["CONSOLE_TOOL_SERVER"],
            request_timeout_s=float(os.environ.get("CONSOLE_REQUEST_TIMEOUT_S", "20")),
        )


def harness_or_refuse(key: str | None) -> str | None:
    """The harness of a run as its bootstrap envelope names it; `None` is a viewer's run, which has no harness."""
    if key is not None and key not in HARNESS_KEYS:
        raise LookupError(f"no harness is called {key!r}; the agent and the policy are out of step")
    return key
