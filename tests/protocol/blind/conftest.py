"""Tests of blind deals; coincurve has no wheel for Python 3.14 yet, so there they are left out."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("coincurve") else ["test_*.py"]
