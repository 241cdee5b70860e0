"""Client of the Whereabouts location data service."""

from whereabouts_client.client import Client
from whereabouts_client.errors import ApiError, ConnectionFailed, WhereaboutsError

__all__ = ["ApiError", "Client", "ConnectionFailed", "WhereaboutsError"]
__version__ = "0.1.0"
