# Public names of `echelon.policies.backfill`: made by docs/generator from the table in its __init__.py.

from echelon.policies.backfill.conservative import Conservative as Conservative
from echelon.policies.backfill.easy import Easy as Easy
from echelon.policies.backfill.first_fit import FirstFit as FirstFit
from echelon.policies.backfill.node_backfill import NodeBackfill as NodeBackfill
from echelon.policies.backfill.none import NoBackfill as NoBackfill
from echelon.policies.backfill.plan import Plan as Plan
from echelon.policies.backfill.registry import ALIASES as ALIASES
from echelon.policies.backfill.registry import BACKFILLS as BACKFILLS
from echelon.policies.backfill.relaxed import Relaxed as Relaxed
from echelon.policies.backfill.selective import Selective as Selective
from echelon.policies.backfill.slack import Slack as Slack
