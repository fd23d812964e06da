"""One zstd frame a file: compress with a checksum, decompress within a bound."""

import zstandard

from memorybank.errors import ValidationFailed

LEVEL = 10
MAX_WINDOW_BYTES = 1 << 27


def compress(data: bytes) -> bytes:
    """One zstd frame with content size and XXH64 checksum (RFC 8878)."""
    return zstandard.ZstdCompressor(level=LEVEL, write_checksum=True, write_content_size=True).compress(data)


def decompress(frame: bytes, size: int, origin: str) -> bytes:
    """The plain bytes of a frame that must hold exactly `size` bytes; anything else is `ValidationFailed`.

    Memory is bounded by `size` and `MAX_WINDOW_BYTES`, whatever the frame claims.
    """
    try:
        parameters = zstandard.get_frame_parameters(frame)
        if parameters.content_size != size:
            raise ValidationFailed(f"{origin}: the frame announces {parameters.content_size} bytes, its record {size}")
        decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES).decompressobj()
        data = decompressor.decompress(frame)
    except zstandard.ZstdError as error:
        raise ValidationFailed(f"{origin}: not a valid zstd frame ({error})") from error
    if not decompressor.eof or decompressor.unused_data or len(data) != size:
        raise ValidationFailed(f"{origin}: the frame is cut short or has bytes after its end")
    return data
