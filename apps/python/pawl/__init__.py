"""Planar mechanisms whose contacts come and go: models, runs, results.

    import pawl
    model = pawl.Model.from_file("ball.toml")
    result = model.run()
    print(result["ball.y"], result.events[0], result.audit.passed)
"""

from . import facts
from ._core import schema
from ._core import version as _version
from .builder import Builder
from .errors import (AssemblyError, AuditWarning, Diagnostic, ModelError, ModelWarning, PawlError,
                     RunError)
from .generators import Generator, GeneratorNumber, generators, new_model
from .model import BodyPosition, Check, Model, ParameterInfo
from .pictures import Report, Svg
from .result import Audit, AuditCheck, Event, LedgerLine, Result
from .simulation import Simulation, State

__version__ = _version()

__all__ = ["AssemblyError", "Audit", "AuditCheck", "AuditWarning", "BodyPosition", "Builder",
           "Check", "Diagnostic", "Event", "Generator", "GeneratorNumber", "LedgerLine", "Model",
           "ModelError", "ModelWarning",
           "ParameterInfo", "PawlError", "Report", "Result", "RunError", "Simulation", "State",
           "Svg", "facts", "generators", "new_model", "schema"]
