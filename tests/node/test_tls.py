import asyncio
import hashlib
import ssl
from datetime import UTC, datetime

import pytest
from cryptography import x509

from rummy_p2p.node.tls import (
    check_pin,
    client_context,
    fingerprint,
    fingerprint_of_pem,
    make_certificate,
    server_context,
)
from rummy_p2p.protocol.errors import NetworkError, RemoteProtocolError
from rummy_p2p.protocol.joincode import ShortPin

PEM = make_certificate()


def test_every_certificate_is_another() -> None:
    assert fingerprint_of_pem(PEM) == fingerprint_of_pem(PEM) != fingerprint_of_pem(make_certificate())


def test_it_names_nobody_and_lasts_for_decades() -> None:
    certificate = x509.load_pem_x509_certificate(PEM[PEM.index(b"-----BEGIN CERT") :])
    assert certificate.subject.rfc4514_string() == "CN=rummy-p2p"
    assert certificate.not_valid_before_utc < datetime(2001, 1, 1, tzinfo=UTC)
    assert certificate.not_valid_after_utc > datetime(2099, 1, 1, tzinfo=UTC)


def test_the_pin_is_sha256_of_the_der() -> None:
    der = ssl.PEM_cert_to_DER_cert(PEM[PEM.index(b"-----BEGIN CERT") :].decode())
    assert fingerprint_of_pem(PEM) == fingerprint(der) == hashlib.sha256(der).digest()


def test_pins() -> None:
    shown = fingerprint(b"der")
    assert check_pin(b"der", shown) == check_pin(b"der", None) == shown
    for wrong in (bytes(32), b"", shown[:31]):
        with pytest.raises(RemoteProtocolError) as refused:
            check_pin(b"der", wrong)
        assert refused.value.code == "wrong-pin"


@pytest.mark.parametrize(
    "damaged", [b"", b"nonsense", PEM[:200], PEM[:-60], PEM.replace(b"MC4C", b"AAAA"), b"\xff" * 50]
)
def test_a_damaged_file_is_said(damaged: bytes) -> None:
    with pytest.raises(NetworkError) as refused:
        use(damaged)
    assert refused.value.code == "certificate-damaged"


def use(pem: bytes) -> None:
    fingerprint_of_pem(pem)
    server_context(pem)


def test_tls_1_3_alone() -> None:
    assert server_context(PEM).minimum_version == client_context().minimum_version == ssl.TLSVersion.TLSv1_3


def test_an_older_tls_is_refused() -> None:
    async def scene() -> None:
        server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=server_context(PEM))
        old = client_context()
        old.minimum_version = ssl.TLSVersion.TLSv1_2
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        async with server:
            with pytest.raises((ssl.SSLError, ConnectionError)):
                await asyncio.open_connection(*server.sockets[0].getsockname(), ssl=old, server_hostname="")

    asyncio.run(scene())


def test_a_short_pin_compares_what_it_has() -> None:
    certificate = ssl.PEM_cert_to_DER_cert(make_certificate().partition(b"-----END PRIVATE KEY-----\n")[2].decode())
    shown = fingerprint(certificate)
    assert check_pin(certificate, ShortPin.of(shown, 20)) == shown
    with pytest.raises(RemoteProtocolError) as caught:
        check_pin(certificate, ShortPin(20, ShortPin.of(shown, 20).value ^ 1))
    assert caught.value.code == "wrong-pin"
