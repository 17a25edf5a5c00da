"""TLS without authorities: a self-signed certificate per installation, known by its SHA-256 (the fingerprint, or pin).

The certificate proves nothing by itself. The pin in an address says which one to expect, and the signatures in the
greeting of `protocol.link` bind it to the player's key.
"""

import hashlib
import hmac
import ssl
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from rummy_p2p.protocol.errors import NetworkError, RemoteProtocolError
from rummy_p2p.protocol.joincode import ShortPin

# Nobody checks these dates; they are wide because clocks at a LAN party are wrong.
_FROM = datetime(2000, 1, 1, tzinfo=UTC)
_UNTIL = datetime(2099, 12, 31, tzinfo=UTC)
Pin = bytes | ShortPin  # the whole fingerprint, or what a join code has room for

_BEGIN = b"-----BEGIN CERTIFICATE-----"


def make_certificate() -> bytes:
    """A new Ed25519 key and its certificate as one PEM text. The certificate names nobody."""
    # Only the very first start needs these, and they take 50 ms to import.
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "rummy-p2p")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), _FROM, _UNTIL)
    ).sign(key, algorithm=None)
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secret + certificate.public_bytes(Encoding.PEM)


def fingerprint(certificate: bytes) -> bytes:
    """SHA-256 of the certificate (DER): the pin of an address."""
    return hashlib.sha256(certificate).digest()


def fingerprint_of_pem(pem: bytes) -> bytes:
    """The fingerprint of the certificate in what `make_certificate` gave; NetworkError when it is damaged."""
    try:
        start = pem.index(_BEGIN)
        return fingerprint(ssl.PEM_cert_to_DER_cert(pem[start:].decode("ascii")))
    except ValueError as error:
        raise NetworkError("certificate-damaged") from error


def server_context(pem: bytes) -> ssl.SSLContext:
    """TLS 1.3 with the certificate and key in `pem`; NetworkError when they are damaged."""
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0  # a link is made once and lives long: nothing to resume
    # OpenSSL's binding reads a key from a file alone; the folder is 0700 and gone at once.
    with TemporaryDirectory(prefix="rummy-p2p-") as folder:
        path = Path(folder, "tls.pem")
        path.write_bytes(pem)
        try:
            context.load_cert_chain(path)
        except ssl.SSLError as error:
            raise NetworkError("certificate-damaged") from error
    return context


def client_context() -> ssl.SSLContext:
    """TLS 1.3 that takes any certificate: the caller checks the pin before it sends a byte."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def check_pin(certificate: bytes, pin: Pin | None) -> bytes:
    """The fingerprint of what the server showed; RemoteProtocolError wrong-pin when another one was expected.

    Without a pin (an address typed by hand) the first one is believed; the signed greeting still binds it to a player.
    """
    shown = fingerprint(certificate)
    if pin is not None and not _fits(shown, pin):
        raise RemoteProtocolError("wrong-pin")
    return shown


def _fits(shown: bytes, pin: Pin) -> bool:
    return pin.fits(shown) if isinstance(pin, ShortPin) else hmac.compare_digest(shown, pin)


def _context(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context
