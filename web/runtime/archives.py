"""Zip archives and wheels whose bytes depend on nothing but what is in them."""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Mapping
from email.message import Message
from typing import Final

Files = Mapping[str, bytes]
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644 << 16


def packed(files: Files, *, compressed: bool = True) -> bytes:
    """A zip archive of files by their paths."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.external_attr = _MODE
            entry.create_system = 3
            entry.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
            archive.writestr(entry, files[name], compresslevel=9)
    return buffer.getvalue()


def unpacked(archive: bytes) -> dict[str, bytes]:
    """The files of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {entry.filename: opened.read(entry) for entry in opened.infolist() if not entry.is_dir()}


def wheel(files: Files, name: str, version: str, tag: str, others: Files) -> dict[str, bytes]:
    """The files of a wheel; `others` are those of its dist-info folder, METADATA among them."""
    folder = f"{name}-{version}.dist-info"
    described = Message()
    described["Wheel-Version"] = "1.0"
    described["Generator"] = "antiphon"
    described["Root-Is-Purelib"] = "false"
    described["Tag"] = tag
    inside = {**files, **{f"{folder}/{other}": data for other, data in others.items()}}
    inside[f"{folder}/WHEEL"] = described.as_bytes()
    record = f"{folder}/RECORD"
    lines = [f"{path},sha256={_record_digest(data)},{len(data)}\n" for path, data in sorted(inside.items())]
    return {**inside, record: "".join([*lines, f"{record},,\n"]).encode()}


def _record_digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def digest(*parts: bytes | str) -> str:
    """One SHA-256 of them all, in their order; the same parts cut in another way give another."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        whole.update(f"{len(data)}:".encode() + data)
    return whole.hexdigest()


def digest_of_files(files: Files) -> str:
    return digest(*(part for name in sorted(files) for part in (name, files[name])))
