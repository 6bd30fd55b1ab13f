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
from .design import (ActiveConstraint, Derivative, DesignConstraint, DesignValue, Linkage,
                     MissingDerivative, Optimisation, Sensitivity, Share, Synthesis, Tolerance,
                     ToleranceEffect, ToleranceOfResponse, ToleranceParameter, ToleranceSequence,
                     synthesise)
from .errors import (AssemblyError, AuditWarning, Diagnostic, ModelError, ModelWarning, PawlError,
                     RunError)
from .generators import Generator, GeneratorNumber, generators, new_model
from .model import BodyPosition, Check, Model, ParameterInfo
from .pictures import Report, Svg
from .result import Audit, AuditCheck, Event, LedgerLine, Result
from .simulation import Simulation, State
from .sweeps import Sweep, sweep

__version__ = _version()

__all__ = ["ActiveConstraint", "AssemblyError", "Audit", "AuditCheck", "AuditWarning",
           "BodyPosition", "Builder", "Check", "Derivative", "DesignConstraint", "DesignValue",
           "Diagnostic", "Event", "Generator", "GeneratorNumber", "LedgerLine", "Linkage",
           "MissingDerivative", "Model", "ModelError", "ModelWarning", "Optimisation",
           "ParameterInfo", "PawlError", "Report", "Result", "RunError", "Sensitivity", "Share",
           "Simulation", "State", "Svg", "Sweep", "Synthesis", "Tolerance",
           "ToleranceEffect", "ToleranceOfResponse", "ToleranceParameter", "ToleranceSequence",
           "facts", "generators", "new_model", "schema", "sweep", "synthesise"]
