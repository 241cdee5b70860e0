"""Client of the Whereabouts location data service."""

from whereabouts.client import Client
from whereabouts.errors import ApiError, ConnectionFailed, WhereaboutsError

__all__ = ["ApiError", "Client", "ConnectionFailed", "WhereaboutsError"]
__version__ = "0.1.0"
