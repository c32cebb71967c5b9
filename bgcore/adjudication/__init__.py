"""Settle abandoned games: a record in, a verdict out.

>>> from bgcore import adjudication as adj
>>> adj.policies()[:2]
('play65', 'truemoneygames')

The way of a case: `Record` (validated) -> `value` (what the position is worth) -> `settle` (who gets what
under a `Policy`) -> `Verdict`. `adjudicate` does all of it; `verify` does it again and compares the bits.
"""

from bgcore.adjudication.absence import AbsenceState, absence
from bgcore.adjudication.batch import Progress, adjudicate_many, run_batch, serve
from bgcore.adjudication.estimate import Estimate, estimate
from bgcore.adjudication.exits import Exits, exits
from bgcore.adjudication.explain import countdown, explain
from bgcore.adjudication.faults import Fault, RecordError
from bgcore.adjudication.policy import Policy, Precision, load_policy, policies, policy_text
from bgcore.adjudication.record import Record
from bgcore.adjudication.schema import schema
from bgcore.adjudication.value import Value, value
from bgcore.adjudication.verdict import Verdict, Verification, adjudicate, settle, verify

__all__ = [
    "AbsenceState",
    "Estimate",
    "Exits",
    "Fault",
    "Policy",
    "Precision",
    "Progress",
    "Record",
    "RecordError",
    "Value",
    "Verdict",
    "Verification",
    "absence",
    "adjudicate",
    "adjudicate_many",
    "countdown",
    "estimate",
    "exits",
    "explain",
    "load_policy",
    "policies",
    "policy_text",
    "run_batch",
    "schema",
    "serve",
    "settle",
    "value",
    "verify",
]
