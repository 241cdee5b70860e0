"""The geocoder of geopy, as users of geopy call it."""

from __future__ import annotations

import pytest
from geopy.exc import GeocoderAuthenticationFailure, GeocoderQueryError
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
