"""One zstd frame per file: compress with a checksum, decompress within a size limit."""

import zstandard

from memorybank.errors import ValidationFailed

MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of a zstd frame."""
LEVEL = 10
MAX_WINDOW_BYTES = 1 << 24
"""Largest accepted decompression window. Frames written at LEVEL need a quarter of this."""
_EMPTY_FRAME_BYTES = 64
_STEP = 1 << 12


def compress(data: bytes) -> bytes:
    """Return one zstd frame with content size and XXH64 checksum (RFC 8878)."""
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True, write_content_size=True).compress(data)


def decompress(frame: bytes, size: int, origin: str) -> bytes:
    """Return the plain bytes of a frame that must contain exactly `size` bytes. Raises `ValidationFailed` for anything else.

    The frame is decompressed in one call into a buffer of `size` bytes: a streaming decompressor would first unpack everything that a frame
    with a false size contains.
    origin: name of the frame in error messages
    """
    try:
        parameters = zstandard.get_frame_parameters(frame)
        if parameters.content_size != size or (size == 0 and len(frame) > _EMPTY_FRAME_BYTES):
            raise ValidationFailed(f"{origin}: the frame header says {parameters.content_size} bytes, its record says {size}")
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES)
        if size:
            data = decompressor.decompress(frame, max_output_size=size, read_across_frames=False, allow_extra_data=False)
        else:
            data = _decompress_empty(decompressor, frame)
    except zstandard.ZstdError as error:
        raise ValidationFailed(f"{origin}: not a valid zstd frame ({error})") from error
    if len(data) != size:
        raise ValidationFailed(f"{origin}: the frame contains {len(data)} bytes, its record says {size}")
    return data


def unpack(frame: bytes, limit: int, origin: str) -> bytes:
    """Return the plain bytes of a frame whose own header gives the size, for frames that no record describes.

    limit: maximum size in bytes. Raises `ValidationFailed` for a larger or damaged frame.
    origin: name of the frame in error messages
    """
    try:
        size = zstandard.get_frame_parameters(frame).content_size
    except zstandard.ZstdError as error:
        raise ValidationFailed(f"{origin}: not a valid zstd frame ({error})") from error
    if size > limit:
        raise ValidationFailed(f"{origin}: the frame header gives no size, or one over {limit} bytes")
    return decompress(frame, size, origin)


def beginning(frame: bytes, limit: int) -> bytes:
    """Return what the complete blocks of a frame contain, also of one that is torn or damaged.

    limit: maximum size in bytes; the rest is left out
    """
    stream = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES).decompressobj()
    found, size = [], 0
    for at in range(0, len(frame), _STEP):
        try:
            found.append(stream.decompress(frame[at : at + _STEP]))
        except zstandard.ZstdError:
            break
        size += len(found[-1])
        if stream.eof or size > limit:
            break
    return b"".join(found)[:limit]


def _decompress_empty(decompressor: zstandard.ZstdDecompressor, frame: bytes) -> bytes:
    """Decompress a frame that announces 0 bytes. The one-call form would not check the content of such a frame."""
    stream = decompressor.decompressobj()
    data = stream.decompress(frame)
    if not stream.eof or stream.unused_data:
        raise zstandard.ZstdError("incomplete, or with bytes after its end")
    return data
