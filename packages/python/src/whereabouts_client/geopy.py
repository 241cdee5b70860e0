"""The service as a geocoder of geopy: `from whereabouts_client.geopy import Whereabouts`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler

from geopy.adapters import AdapterHTTPError, AioHTTPAdapter, RequestsAdapter, URLLibAdapter
from geopy.exc import ConfigurationError, GeocoderRateLimited
from geopy.geocoders.base import DEFAULT_SENTINEL, ERROR_CODE_MAP, Geocoder
from geopy.location import Location

__all__ = ["Whereabouts"]


class Whereabouts(Geocoder):  # type: ignore[misc]
    """
    Places, addresses, streets and points of interest. `base_url` and `api_key` come from WHEREABOUTS_URL and
    WHEREABOUTS_API_KEY by default; the other arguments are those of all geocoders of geopy.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        timeout: Any = DEFAULT_SENTINEL,
        proxies: Any = DEFAULT_SENTINEL,
        user_agent: str | None = None,
        ssl_context: Any = DEFAULT_SENTINEL,
        adapter_factory: Any = None,
    ) -> None:
        super().__init__(
            timeout=timeout,
            proxies=proxies,
            user_agent=user_agent,
            ssl_context=ssl_context,
            adapter_factory=adapter_factory,
        )
        address = base_url or os.environ.get("WHEREABOUTS_URL")
        if not address:
            raise ConfigurationError("give base_url, or set WHEREABOUTS_URL")
        self.base_url = address.rstrip("/").removesuffix("/v1")
        self.api_key = api_key or os.environ.get("WHEREABOUTS_API_KEY")
        # geopy's adapters send the key to wherever a redirect leads: none is followed.
        if isinstance(self.adapter, RequestsAdapter):
            self.adapter.session.max_redirects = 0
        elif isinstance(self.adapter, URLLibAdapter):
            self.adapter.urlopen.__self__.add_handler(_NoRedirects())

    def geocode(
        self,
        query: str,
        *,
        exactly_one: bool = True,
        timeout: Any = DEFAULT_SENTINEL,
        limit: int | None = None,
        country: str | None = None,
        language: str | None = None,
        layers: str | Sequence[str] | None = None,
        bias: Any = None,
    ) -> Any:
        """
        A Location, or a list of them where `exactly_one` is false; None where there is none. Results near the point
        `bias` are preferred.
        """
        near = self._coordinates(bias) if bias is not None else {}
        named = layers if layers is None or isinstance(layers, str) else ",".join(layers)
        parameters = {"q": query, "country": country, "lang": language, "layers": named, **near}
        return self._answer("search", parameters, exactly_one, timeout, limit)

    def reverse(
        self,
        query: Any,
        *,
        exactly_one: bool = True,
        timeout: Any = DEFAULT_SENTINEL,
        limit: int | None = None,
        language: str | None = None,
        layers: str | Sequence[str] | None = None,
    ) -> Any:
        """The place that a point is in, as a Location, or a list; None where there is none."""
        named = layers if layers is None or isinstance(layers, str) else ",".join(layers)
        parameters = {**self._coordinates(query), "lang": language, "layers": named}
        return self._answer("reverse", parameters, exactly_one, timeout, limit)

    def _coordinates(self, point: Any) -> dict[str, str]:
        lat, lng = self._coerce_point_to_string(point, output_format="%(lat)s %(lon)s").split(" ")
        return {"lat": lat, "lng": lng}

    def _answer(
        self, endpoint: str, parameters: Mapping[str, Any], exactly_one: bool, timeout: Any, limit: int | None
    ) -> Any:
        max_results = 1 if exactly_one else limit
        present = {name: value for name, value in {**parameters, "limit": max_results}.items() if value is not None}
        headers = {"X-API-Variant": "default", **({"X-API-Key": self.api_key} if self.api_key else {})}
        parse: Callable[[Mapping[str, Any]], Any] = lambda answer: _locations(answer, exactly_one)
        url = f"{self.base_url}/v1/{endpoint}?{urlencode(present)}"
        if isinstance(self.adapter, AioHTTPAdapter):
            # Its session is made in the event loop; the first redirect ends it.
            session = self.adapter.session
            session.get = partial(type(session).get, session, max_redirects=1)
        return self._call_geocoder(url, parse, timeout=timeout, headers=headers)

    def _geocoder_exception_handler(self, error: Exception) -> None:
        """Raises geopy's exception of a status with the service's own code and message."""
        if not isinstance(error, AdapterHTTPError):
            return
        kind = ERROR_CODE_MAP.get(error.status_code)
        if kind is None or issubclass(kind, GeocoderRateLimited):
            return
        try:
            problem = json.loads(error.text)
            message = f"{problem['code']}: {problem['detail']}"
        except (ValueError, TypeError, KeyError):
            return
        raise kind(message) from error


class _NoRedirects(HTTPRedirectHandler):
    handler_order = 0  # Before urllib's own.

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        raise HTTPError(req.full_url, code, msg, headers, fp)


def _locations(answer: Mapping[str, Any], exactly_one: bool) -> Any:
    found = [
        Location(_label(result), (result["lat"], result["lng"]), result) for result in answer["results"]
    ]
    if not found:
        return None
    return found[0] if exactly_one else found


def _label(result: Mapping[str, Any]) -> str:
    """The names from the result itself to its country, each once."""
    parts: list[str] = []
    for field in ("name", "city", "postal_code", "admin2", "admin1", "country_name"):
        part = result.get(field)
        if part and part not in parts:
            parts.append(part)
    return ", ".join(parts)
