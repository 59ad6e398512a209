"""Pictures that are no pictures are named, with what is wrong and what to do; damaged ones are never handed out."""

import contextlib
import os
import struct
import zlib

import cv2
import numpy as np
import pytest

from calibration import PictureError
from calibration.pictures import MAX_PIXELS, decode_picture, read_picture, read_turned, turned_back

NOISE = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
SCENE = cv2.GaussianBlur(np.random.default_rng(2).integers(0, 255, (240, 320, 3), np.uint8), (0, 0), 6) * 3
"""Smooth, as a lens draws it."""


def jpeg(image, *options):
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90, *options])[1].tobytes()


def png(image):
    return cv2.imencode(".png", image)[1].tobytes()


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def raw_png(width, height, depth, kind, *more, rows=b""):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def tagged(data, orientation, order=">"):
    """The JPEG with an EXIF block that says how the camera was held."""
    tiff = (b"MM\0*" if order == ">" else b"II*\0") + struct.pack(
        f"{order}IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0
    )
    body = b"Exif\0\0" + tiff
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + data[2:]


def refused(data):
    with pytest.raises(PictureError) as caught:
        decode_picture(data, "name.jpg")
    text = str(caught.value)
    assert text.startswith("name.jpg: ")
    assert "\n" not in text
    return text


# What is read


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_a_good_picture_is_read(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    assert cv2.imwrite(str(path), NOISE)
    image = read_picture(path)
    assert image.shape == NOISE.shape
    assert image.dtype == np.uint8


def test_a_jpeg_is_decoded_as_opencv_decodes_it(table_dir):
    path = table_dir / "f01.jpg"
    assert (read_picture(path) == cv2.imread(str(path))).all()


def test_the_content_counts_and_not_the_name(tmp_path):
    path = tmp_path / "in_truth_a_png.jpg"
    path.write_bytes(png(NOISE))
    assert (read_picture(path) == NOISE).all()


def test_a_progressive_jpeg_is_read():
    assert decode_picture(jpeg(SCENE, cv2.IMWRITE_JPEG_PROGRESSIVE, 1), "p").shape == SCENE.shape


def test_sixteen_bits_are_brought_to_eight():
    assert (decode_picture(png(NOISE.astype(np.uint16) * 257), "deep") == NOISE).all()


def test_an_alpha_channel_that_hides_nothing_is_dropped():
    opaque = np.dstack([NOISE, np.full(NOISE.shape[:2], 255, np.uint8)])
    assert (decode_picture(png(opaque), "opaque") == NOISE).all()


def test_bytes_after_the_end_do_no_harm():
    for data in (jpeg(SCENE), png(SCENE)):
        assert (decode_picture(data + b"\0maker's notes" * 1000, "x") == decode_picture(data, "x")).all()


# How the camera was held


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(
    ("orientation", "stored"),
    [
        (1, SCENE),
        (2, SCENE[:, ::-1]),
        (3, SCENE[::-1, ::-1]),
        (4, SCENE[::-1]),
        (5, SCENE.transpose(1, 0, 2)),
        (6, np.rot90(SCENE, 1)),
        (7, SCENE[::-1, ::-1].transpose(1, 0, 2)),
        (8, np.rot90(SCENE, -1)),
    ],
)
def test_a_picture_is_turned_as_its_tag_says(tmp_path, orientation, stored, order):
    path = tmp_path / "x.jpg"
    path.write_bytes(tagged(jpeg(np.ascontiguousarray(stored)), orientation, order))
    turned, by = read_turned(path)
    assert by == orientation
    assert turned.shape == SCENE.shape
    assert np.abs(turned.astype(int) - SCENE).mean() < 4
    assert (read_picture(path) == turned).all()
    as_taken = turned_back(turned, by)
    assert as_taken.shape == stored.shape
    assert np.abs(as_taken.astype(int) - stored).mean() < 4


def test_a_tag_in_a_png_is_heeded_too():
    block = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, 3, 0, 0)
    data = png(NOISE)
    at = data.index(b"IDAT") - 4
    assert (decode_picture(data[:at] + chunk(b"eXIf", block) + data[at:], "x") == NOISE[::-1, ::-1]).all()


def test_a_tag_that_makes_no_sense_turns_nothing():
    good = tagged(jpeg(SCENE), 6)
    at = good.index(b"Exif\0\0") + 6
    rng = np.random.default_rng(5)
    for orientation in (0, 9, 65535):
        assert decode_picture(tagged(jpeg(SCENE), orientation), "x").shape == SCENE.shape
    for _ in range(100):
        data = bytearray(good)
        data[at : at + 26] = rng.bytes(26)
        assert decode_picture(bytes(data), "x").shape in (SCENE.shape, (320, 240, 3))


# What is refused


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b"no picture", "neither a JPEG nor a PNG"),
        (b"\0" * 5000, "neither a JPEG nor a PNG"),
        (b"\xff\xd8\xff", "torn"),
        (b"\xff" * 5000, "neither a JPEG nor a PNG"),
        (b"\xff\xd8" + b"\xff" * 5000, "torn"),
        (b"\x89PNG\r\n\x1a\n", "torn"),
        (b"GIF89a" + bytes(50), "a GIF picture; save it as JPEG or PNG"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "a WebP picture; save it as JPEG or PNG"),
        (b"\0\0\0\x18ftypheic", "a HEIC picture; save it as JPEG or PNG"),
        (jpeg(NOISE[:1, :1]), "1 x 1 pixels are too few"),
        (jpeg(NOISE[:1]), "too few"),
        (png(NOISE[:, :15]), "too few"),
        (jpeg(NOISE[..., 0]), "no colour"),
        (png(NOISE[..., 0]), "no colour"),
        (png(np.repeat(NOISE[..., :1], 3, axis=2)), "no colour"),
        (png(np.dstack([NOISE, NOISE[..., 0]])), "transparent"),
        (raw_png(2, 2, 8, 3, chunk(b"PLTE", bytes(range(6))), rows=b"\0\0\1" * 2), "palette"),
        (raw_png(2, 2, 8, 2, chunk(b"acTL", bytes(8)), rows=bytes(14)), "moving picture"),
        (raw_png(0, 2, 8, 2), "no pixels"),
        (raw_png(2, 2, 8, 2, chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 3, 0, 0, 0)), rows=bytes(14)), "twice"),
        (raw_png(20, 20, 8, 2, chunk(b"IHDR", b"\0\0"), rows=bytes(61 * 20)), "its size twice"),
        (raw_png(500, 500, 8, 2, rows=bytes(1501 * 20)), "damaged"),
        (raw_png(500, 500, 8, 2), "damaged"),
        (raw_png(20, 20, 8, 2, chunk(b"IDAT", b"not zlib's")), "damaged"),
        (b"\xff\xd8\xff\xc0\0\x11\x08\0\x10\0\x10\x04" + bytes(20) + b"\xff\xda\0\x08" + bytes(20), "printing"),
        (b"\xff\xd8\xff\xc1\0\x11\x0c\0\x10\0\x10\x03" + bytes(20) + b"\xff\xda\0\x08" + bytes(20), "12 bits"),
    ],
)
def test_what_is_no_colour_picture_is_refused_with_the_reason_and_nothing_else(data, says, capfd):
    assert says in refused(data)
    assert capfd.readouterr().err == ""


def test_what_a_png_says_of_itself_besides_is_no_matter(capfd):
    data = png(NOISE)
    at = data.index(b"IDAT") - 4
    profile = chunk(b"iCCP", b"lens\0\0" + zlib.compress(b"no profile")) + chunk(b"gAMA", bytes(3))
    assert (decode_picture(data[:at] + profile + data[at:], "boastful") == NOISE).all()
    assert capfd.readouterr().err == ""


def test_a_png_that_says_nothing_of_itself_is_decoded_without_a_copy(monkeypatch):
    """Of 12 megapixels the file alone takes 12 MB."""
    given = []
    decode = np.frombuffer
    monkeypatch.setattr(np, "frombuffer", lambda data, kind: given.append(data) or decode(data, kind))
    data = png(NOISE)
    assert (decode_picture(data, "x") == NOISE).all()
    assert given[-1] is data


@pytest.mark.parametrize("size", [(20_000, 20_000), (65_535, 65_535), (8_001, 8_000)])
def test_a_huge_picture_is_refused_before_it_is_decoded(size):
    assert size[0] * size[1] > MAX_PIXELS
    assert "too many; take a smaller picture" in refused(raw_png(*size, 8, 2))
    data = bytearray(jpeg(NOISE))
    at = data.index(b"\xff\xc0") + 5
    data[at : at + 4] = struct.pack(">HH", *size)
    assert "too many; take a smaller picture" in refused(bytes(data))


def test_what_takes_more_memory_a_pixel_must_have_fewer_pixels():
    assert "too many" in refused(raw_png(8_000, 8_000, 16, 2))


def test_endless_scans_are_refused():
    data = jpeg(SCENE, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)
    at = data.rindex(b"\xff\xda")
    assert "too many scans" in refused(data[:at] + data[at:-2] * 200 + data[-2:])


def test_files_that_are_none_are_named(tmp_path):
    pipe = tmp_path / "pipe.jpg"
    os.mkfifo(pipe)
    huge = tmp_path / "huge.jpg"
    with huge.open("wb") as file:
        file.truncate(3 << 30)  # takes no room on the disk
    for path, says in (
        (tmp_path / "nowhere.jpg", r"cannot be read \(.*\); name another JPEG or PNG file, or take it again\."),
        (tmp_path, "this is a folder"),
        (pipe, "no file"),
        (huge, "too much for a picture"),
        (tmp_path / ("x" * 300), "cannot be read"),
    ):
        with pytest.raises(PictureError, match=says) as caught:
            read_picture(path)
        assert str(path) in str(caught.value)


# Damage


@pytest.mark.parametrize("encode", [jpeg, png])
def test_a_picture_cut_short_anywhere_is_refused(encode):
    data = encode(SCENE)
    for at in np.random.default_rng(3).integers(1, len(data) - 2, 60):
        assert refused(data[:at])


def test_any_change_inside_a_png_is_refused():
    data = png(SCENE)
    rng = np.random.default_rng(4)
    for at in rng.integers(0, len(data) - 12, 60):
        broken = bytearray(data)
        broken[at] ^= 1 << int(rng.integers(8))
        assert refused(bytes(broken))


@pytest.mark.parametrize("first", range(0, 8, 2))
def test_a_striped_cloth_that_lies_along_the_rows_is_no_damage(first):
    rng = np.random.default_rng(7)
    cloth = np.clip(rng.normal(200, 2, (480, 640, 3)), 0, 255).astype(np.uint8)
    for top in range(100 + first, 400, 61):
        cloth[top : top + 20, :, :2] //= 2
    assert decode_picture(jpeg(cloth), "cloth").shape == cloth.shape


def is_spoilt(image, good):
    """Whether damage shows: a twentieth of the picture is visibly something else."""
    return image.shape != good.shape or (np.abs(image.astype(int) - good).max(axis=2) > 12).mean() > 0.05


@pytest.mark.parametrize("kind", ["zeros", "ones", "nonsense", "moved", "cut out", "one bit"])
def test_damage_in_the_middle_of_a_jpeg_never_passes_for_a_picture(table_dir, kind):
    """libjpeg repairs each of these and says nothing that a program would hear."""
    data = (table_dir / "f01.jpg").read_bytes()
    good = decode_picture(data, "good")
    rng = np.random.default_rng(6)
    refusals = 0
    for _ in range(16):
        at, count = int(rng.integers(1000, len(data) - 1000)), int(rng.choice([16, 64, 512, 900]))
        broken = bytearray(data)
        match kind:
            case "zeros":
                broken[at : at + count] = bytes(count)
            case "ones":
                broken[at : at + count] = b"\xff" * count
            case "nonsense":
                broken[at : at + count] = rng.bytes(count)
            case "moved":
                broken[at : at + count] = data[700 : 700 + count]
            case "cut out":
                del broken[at : at + count]
            case "one bit":
                broken[at] ^= 1 << int(rng.integers(8))
        try:
            image = decode_picture(bytes(broken), "x")
        except PictureError:
            refusals += 1
        else:
            assert not is_spoilt(image, good), f"{kind} at {at}, {count} bytes"
    assert refusals > (0 if kind == "one bit" else 10)


@pytest.mark.parametrize("more", [0, 1, 2, 3, 7])
@pytest.mark.parametrize("row", [240, 256, 272])
def test_a_tear_is_seen_wherever_it_is_and_however_many_rows_there_are(row, more):
    """The picture is looked at in bands: not at a band's edge alone, and not with a rest of a single row."""
    whole = cv2.resize(SCENE, (640, 512 + more)) // 2
    assert decode_picture(jpeg(whole), "x").shape == whole.shape
    torn, tinted = whole.copy(), whole.copy()
    torn[row:] += 30
    tinted[row:, :, 0] += 60
    assert "its parts do not fit together" in refused(jpeg(torn))
    assert "its parts do not fit together" in refused(jpeg(tinted))


def test_looking_for_tears_takes_little_memory(monkeypatch):
    """Of 12 megapixels the luma alone would be 12 MB."""
    looked_at = []
    convert = cv2.cvtColor
    monkeypatch.setattr(cv2, "cvtColor", lambda image, how: looked_at.append(image.nbytes) or convert(image, how))
    image = decode_picture(jpeg(cv2.resize(SCENE, (2048, 1536))), "x")
    assert 0 < max(looked_at) < image.nbytes / 5


def test_pictures_that_are_compressed_hard_are_not_taken_for_damaged(table_dir):
    image = read_picture(table_dir / "f01.jpg")
    for quality in (10, 30, 60, 95):
        packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        assert decode_picture(packed, "x").shape == image.shape


@pytest.mark.parametrize("written", ["", "2026-11-29 19:04:11"])
@pytest.mark.parametrize("level", [0, 40, 128, 255])
@pytest.mark.parametrize("height", [24, 32, 40, 48, 56, 135])
def test_bars_along_the_edges_are_no_damage(table_dir, height, level, written):
    """Some cameras write the time into a bar, some streams add bars above and below, some programs a frame."""
    image = read_picture(table_dir / "f01.jpg")
    above = np.full((height, image.shape[1], 3), level, np.uint8)
    cv2.putText(above, written, (20, height - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255 - level,) * 3, 2)
    below = above.copy()
    for barred in (np.vstack([above, image]), np.vstack([image, below]), np.vstack([above, image, below])):
        assert decode_picture(jpeg(barred), "x").shape == barred.shape


@pytest.mark.parametrize("lost", ["grey", "as before"])
@pytest.mark.parametrize(("row", "column"), [(30, 2), (30, 40), (44, 60), (50, 93)])
def test_a_lost_end_is_no_bar_though_the_picture_was_saved_again(table_dir, row, column, lost):
    """Then the decoder has nothing to warn of: what was lost is an even grey, from some place in a row of blocks on."""
    image = read_picture(table_dir / "f01.jpg")
    y, x = 16 * row, 16 * column
    level = 128 if lost == "grey" else int(image[y : y + 16, x - 16 : x].mean())
    image[y : y + 16, x:] = level
    image[y + 16 :] = level
    assert "its parts do not fit together" in refused(jpeg(image))


@pytest.mark.parametrize(
    "make", [jpeg, png, lambda i: tagged(jpeg(i), 6), lambda i: jpeg(i, cv2.IMWRITE_JPEG_PROGRESSIVE, 1)]
)
def test_no_bytes_whatever_crash_the_reader(make):
    """Headers and markers broken in every way: a picture or a sentence, nothing else."""
    data = make(NOISE)
    rng = np.random.default_rng(7)
    for _ in range(400):
        broken = bytearray(data)
        for at in rng.integers(3, len(data), int(rng.integers(1, 12))):
            broken[at] = int(rng.integers(256))
        with contextlib.suppress(PictureError):
            decode_picture(bytes(broken), "x")
