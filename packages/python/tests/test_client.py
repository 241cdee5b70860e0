"""The client against the running service, and against a server that fails as networks and services do."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from whereabouts_client import ApiError, Client, ConnectionFailed
from whereabouts_client._api import BatchRequestsItem, Methods


def client() -> Client:
    """Address and key come from the environment."""
    return Client()


def test_every_operation_is_answered() -> None:
    parameters: dict[str, dict[str, object]] = {
        "search": {"q": 'paris, texas & "co"'},
        "autocomplete": {"q": "spr"},
        "cities": {"country": "us"},
        "nearby": {"lat": 35.69, "lng": 139.69},
        "reverse": {"lat": 52.5, "lng": 13.4},
        "country": {"code": "DE"},
        "country_area": {"code": "DE"},
        "admin_area": {"iso_code": "DE-BE"},
        "place": {"id": 2950159},
        "admin": {"country": "US"},
        "postal": {"code": "75001", "country": "FR"},
        "validate": {"city": "Berlin", "country": "DE"},
        "timezone": {"lat": 52.5, "lng": 13.4},
        "sun": {"lat": 52.5, "lng": 13.4},
        "distance": {"from_city": "Berlin", "to_lat": 48.85, "to_lng": 1e-7},
        "ip": {"ip": "2.16.0.1"},
        "address": {"q": "10 Downing Street"},
        "streets": {"q": "Downing Street"},
        "pois": {"lat": 51.5, "lng": -0.13},
        "batch": {"requests": [{"endpoint": "country/DE", "params": {}}]},
        "create_job": {"endpoint": "search", "rows": [{"q": "Berlin"}]},
        **{name: {"id": "none"} for name in ("job", "job_result", "delete_job")},
    }
    names = [name for name in vars(Methods) if not name.startswith("_")]
    assert set(parameters) <= set(names)
    with client() as service:
        parameters["place_area"] = {"id": service.search("germany")["results"][0]["id"]}
        for name in names:
            try:
                answer = getattr(service, name)(**parameters.get(name, {}))
            except ApiError as error:
                # The small dataset may lack a layer, and has no such job; the call has arrived all the same.
                assert error.code in ("dataset_missing", "job_not_found"), name
            else:
                assert isinstance(answer, dict), name


def test_answers_are_those_of_the_service() -> None:
    with client() as service:
        assert service.search("paris", country="US")["results"][0]["id"] == 4717560
        assert service.csv("countries").startswith("iso2,iso3,name\r\n")
        points = service.geojson("cities", {"country": "DE", "limit": 1})
        assert points["features"][0]["geometry"] == {"type": "Point", "coordinates": [13.41, 52.52]}


def test_an_error_has_the_code_and_the_message_of_the_service() -> None:
    with client() as service, pytest.raises(ApiError) as caught:
        service.nearby(95, 200)
    error = caught.value
    assert (error.status, error.code) == (400, "invalid_parameter")
    assert [fault["parameter"] for fault in error.errors] == ["lat", "lng"]
    assert error.message in str(error) and error.request_id
    with pytest.raises(ApiError, match="invalid_api_key") as refused:
        Client(api_key="wab_wrong").countries()
    assert refused.value.status == 401


def test_an_identifier_that_leads_to_another_path_is_refused() -> None:
    with client() as service:
        for identifier in ("", ".", ".."):
            with pytest.raises(ValueError, match="no identifier"):
                service.job(identifier)
        for identifier in ("...", "%2e", "./", "?"):
            with pytest.raises(ApiError) as caught:
                service.job(identifier)
            assert caught.value.status == 404


def test_a_job_is_sent_followed_fetched_and_deleted() -> None:
    with client() as service:
        job = service.create_job("search", rows=[{"q": "Berlin"}, {"q": "Nowhere at all"}])
        assert job["id"] in [each["id"] for each in service.jobs()["results"]]
        state = service.job(job["id"])
        while state["result"] is None:
            assert state["state"] != "failed"
            state = service.job(job["id"])
        assert (state["found"], state["without_result"]) == (1, 1)
        lines = [json.loads(line) for line in service.job_result(job["id"]).splitlines()]
        assert [line["error"] for line in lines] == [None, "no_result"]
        assert service.delete_job(job["id"])["deleted"]
        with pytest.raises(ApiError) as gone:
            service.job(job["id"])
        assert gone.value.code == "job_not_found"


def test_any_number_of_requests_goes_in_batches() -> None:
    with client() as service:
        requests: list[BatchRequestsItem] = [{"endpoint": f"country/{code}", "params": {}} for code in ["DE", "FR", "XX"] * 50]
        answers = list(service.in_batches(requests))
    assert [answer["index"] for answer in answers] == list(range(150))
    assert [answer["status"] for answer in answers] == [200, 200, 404] * 50


@contextmanager
def other_server(*answers: tuple[int, dict[str, str], bytes] | None) -> Iterator[tuple[str, list[str]]]:
    """A server that sends these answers one after the other, or closes the connection; and the requested paths."""
    paths: list[str] = []
    rest = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            paths.append(self.path)
            answer = rest.pop(0)
            if answer is None:
                self.close_connection = True
                return
            status, headers, body = answer
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", paths
    finally:
        server.shutdown()
        server.server_close()


GOOD = (200, {"Content-Type": "application/json"}, b'{"results":[]}')


def busy(retry_after: str, code: str = "unavailable") -> tuple[int, dict[str, str], bytes]:
    headers = {"Content-Type": "application/problem+json", "Retry-After": retry_after}
    return 503, headers, f'{{"code":"{code}","detail":"later"}}'.encode()


def test_it_asks_again_where_that_helps() -> None:
    past = formatdate(0, usegmt=True)
    with other_server(None, busy("0"), busy(past), GOOD) as (address, paths):
        assert Client(address, retries=3).search("x")["results"] == []
        assert len(paths) == 4


def test_a_job_whose_answer_is_lost_is_not_sent_again() -> None:
    with other_server(None, GOOD) as (address, paths):
        with pytest.raises(ConnectionFailed):
            Client(address).create_job("search", rows=[{"q": "x"}])
        assert len(paths) == 1


def test_it_does_not_wait_where_that_is_too_long_or_no_use() -> None:
    for retry_after, code in (("86400", "quota_exceeded"), ("0", "dataset_missing")):
        with other_server(busy(retry_after, code)) as (address, paths):
            with pytest.raises(ApiError) as caught:
                Client(address).search("x")
            assert caught.value.code == code
            assert len(paths) == 1


def test_what_is_no_problem_document_is_an_error_too() -> None:
    with other_server((502, {"Content-Type": "text/html"}, b"<html>")) as (address, _):
        with pytest.raises(ApiError) as caught:
            Client(address).search("x")
        assert (caught.value.status, caught.value.code) == (502, "unexpected_answer")


def test_an_answer_that_is_no_json_or_nests_deeply_is_an_error_too() -> None:
    for body in (b"<html>Sign in", b"[" * 200_000):
        with other_server((200, {}, body)) as (address, _), pytest.raises(ApiError, match="other than JSON") as caught:
            Client(address).search("x")
        assert (caught.value.status, caught.value.code) == (200, "unexpected_answer")
    with other_server((200, {}, b"\xff")) as (address, _), pytest.raises(ApiError):
        Client(address).csv("countries")
    for body in (b"[" * 200_000, b'{"detail":{},"code":5,"errors":"x","request_id":5}'):
        problem = (400, {"Content-Type": "application/problem+json"}, body)
        with other_server(problem) as (address, _), pytest.raises(ApiError, match="no problem document") as caught:
            Client(address).search("x")
        assert (caught.value.code, caught.value.errors, caught.value.request_id) == ("unexpected_answer", [], None)


def test_no_connection_is_an_error_of_its_own() -> None:
    with other_server() as (address, _):
        pass
    with pytest.raises(ConnectionFailed, match="refused") as caught:
        Client(address, retries=1).search("x")
    assert "time limit" not in str(caught.value)


def test_an_answer_that_drips_or_unpacks_to_too_much_ends() -> None:
    class Drip(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            with suppress(OSError):
                while not ended.wait(0.1):
                    self.wfile.write(b" ")

        def log_message(self, *_: object) -> None:
            pass

    ended = threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), Drip) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(ConnectionFailed, match="did not come whole within the time limit"):
            Client(f"http://127.0.0.1:{server.server_address[1]}", timeout_seconds=0.5).search("x")
        ended.set()
        server.shutdown()
    bomb = (200, {"Content-Encoding": "gzip"}, gzip.compress(bytes(101_000_000), 1))
    with other_server(bomb) as (address, _), pytest.raises(ConnectionFailed, match="more than 100 MB"):
        Client(address).search("x")


def test_without_an_address_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WHEREABOUTS_URL")
    with pytest.raises(ValueError, match="WHEREABOUTS_URL"):
        Client()
    assert os.environ["WHEREABOUTS_API_KEY"]
