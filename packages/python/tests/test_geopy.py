"""The geocoder of geopy, as users of geopy call it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from geopy.adapters import AioHTTPAdapter, RequestsAdapter, URLLibAdapter
from geopy.exc import GeocoderAuthenticationFailure, GeocoderQueryError, GeocoderServiceError
from geopy.extra.rate_limiter import RateLimiter
from geopy.geocoders import options
from geopy.point import Point

from whereabouts_client.geopy import Whereabouts

# geopy's own second is too short for an answer on a busy machine.
options.default_timeout = 60


def test_geocode_gives_locations() -> None:
    geocoder = Whereabouts()
    found = geocoder.geocode("Paris", country="US")
    assert found.raw["id"] == 4717560
    assert found.address.startswith("Paris, ") and found.address.endswith("United States")
    assert (found.latitude, found.longitude) == (found.raw["lat"], found.raw["lng"])
    several = geocoder.geocode("springfield", exactly_one=False, limit=2)
    assert len(several) == 2
    assert geocoder.geocode("zzzzqqq") is None


def test_reverse_takes_points_as_geopy_does() -> None:
    geocoder = RateLimiter(Whereabouts().reverse, min_delay_seconds=0)
    for point in ("52.5, 13.4", (52.5, 13.4), Point(52.5, 13.4)):
        assert geocoder(point).raw["name"] == "Berlin"


def test_failures_are_those_of_geopy_with_the_message_of_the_service() -> None:
    with pytest.raises(GeocoderAuthenticationFailure, match="invalid_api_key: "):
        Whereabouts("wab_wrong").geocode("Berlin")
    with pytest.raises(GeocoderQueryError, match="invalid_parameter: .*XX"):
        Whereabouts().geocode("Berlin", country="XX")


@pytest.fixture
def redirecting() -> Iterator[tuple[str, list[str]]]:
    """A server that sends each request on to itself under another name, and the requested paths."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            self.send_response(302)
            self.send_header("Location", f"http://localhost:{server.server_port}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", paths
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("adapter", [RequestsAdapter, URLLibAdapter])
def test_where_a_redirect_leads_does_not_get_the_key(redirecting: tuple[str, list[str]], adapter: object) -> None:
    address, paths = redirecting
    geocoder = Whereabouts("wab_secret", base_url=address, adapter_factory=adapter)
    for _ in range(2):
        with pytest.raises(GeocoderServiceError):
            geocoder.geocode("Berlin")
    assert [path.split("?")[0] for path in paths] == ["/v1/search"] * 2


def test_nor_in_an_event_loop(redirecting: tuple[str, list[str]]) -> None:
    address, paths = redirecting

    async def ask() -> None:
        async with Whereabouts("wab_secret", base_url=address, adapter_factory=AioHTTPAdapter) as geocoder:
            for _ in range(2):
                with pytest.raises(GeocoderServiceError):
                    await geocoder.geocode("Berlin")

    asyncio.run(ask())
    assert [path.split("?")[0] for path in paths] == ["/v1/search"] * 2
