"""One zstd frame a file: compress with a checksum, decompress within a bound."""

import zstandard

from memorybank.errors import ValidationFailed

LEVEL = 10
MAX_WINDOW_BYTES = 1 << 24
"""Frames of LEVEL need a quarter of this."""
_EMPTY_FRAME_BYTES = 64


def compress(data: bytes) -> bytes:
    """One zstd frame with content size and XXH64 checksum (RFC 8878)."""
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True, write_content_size=True).compress(data)


def decompress(frame: bytes, size: int, origin: str) -> bytes:
    """The plain bytes of a frame that must hold exactly `size` bytes; anything else is `ValidationFailed`.

    In one call into a buffer of `size` bytes: a streaming decompressor would first unpack whatever a lying frame really holds.
    """
    try:
        parameters = zstandard.get_frame_parameters(frame)
        if parameters.content_size != size or (size == 0 and len(frame) > _EMPTY_FRAME_BYTES):
            raise ValidationFailed(f"{origin}: the frame announces {parameters.content_size} bytes, its record {size}")
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES)
        if size:
            data = decompressor.decompress(frame, max_output_size=size, read_across_frames=False, allow_extra_data=False)
        else:
            data = _decompress_empty(decompressor, frame)
    except zstandard.ZstdError as error:
        raise ValidationFailed(f"{origin}: not a valid zstd frame ({error})") from error
    if len(data) != size:
        raise ValidationFailed(f"{origin}: the frame holds {len(data)} bytes, its record says {size}")
    return data


def unpack(frame: bytes, limit: int, origin: str) -> bytes:
    """The plain bytes of a frame that says itself how many, at most `limit`; for frames that no record describes."""
    try:
        size = zstandard.get_frame_parameters(frame).content_size
    except zstandard.ZstdError as error:
        raise ValidationFailed(f"{origin}: not a valid zstd frame ({error})") from error
    if size > limit:
        raise ValidationFailed(f"{origin}: the frame does not say how much it holds, or more than {limit} bytes")
    return decompress(frame, size, origin)


def _decompress_empty(decompressor: zstandard.ZstdDecompressor, frame: bytes) -> bytes:
    """The one-call form does not look into a frame that announces nothing."""
    stream = decompressor.decompressobj()
    data = stream.decompress(frame)
    if not stream.eof or stream.unused_data:
        raise zstandard.ZstdError("cut short, or bytes after its end")
    return data
