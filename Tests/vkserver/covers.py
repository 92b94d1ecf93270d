"""Album covers: gradients drawn by ffmpeg, one JPEG per size."""

import subprocess

SIZES = (600, 300, 135, 68)  # pixels; every cover is square
PALETTES = {
    "dawn": ("0x2b1055", "0xff9a8b", "0xffd86f"),
    "lagoon": ("0x05385b", "0x17b890", "0xdef9c4"),
    "violet": ("0x1f1147", "0x7f5af0", "0xf7c6ff"),
    "ember": ("0x2d0a0a", "0xd7263d", "0xf9a03f"),
    "meadow": ("0x0b3d20", "0x7bc950", "0xfff3b0"),
    "steel": ("0x11151c", "0x5c7a99", "0xe0e7ef"),
    "rose": ("0x4a0d3f", "0xf65c8b", "0xffe3e3"),
    "polar": ("0x001a33", "0x3fa7d6", "0xf1faee"),
}


def draw(name, paths):
    """Draws the named palette into `paths` (size → file). The look depends on the name only."""
    number = sorted(PALETTES).index(name)
    colours = ":".join(f"c{i}={c}" for i, c in enumerate(PALETTES[name]))
    kind = ("linear", "radial")[number % 2]
    corner = 80 + 50 * (number % 4)
    source = f"gradients=s=600x600:n=3:{colours}:x0={corner}:y0={corner}:x1=560:y1=590:type={kind}:seed=1"
    labels = "".join(f"[s{size}]" for size in SIZES)
    scaled = ";".join(f"[s{size}]scale={size}:{size}[o{size}]" for size in SIZES)
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-bitexact", "-f", "lavfi", "-i", source]
    command += ["-filter_complex", f"[0:v]split={len(SIZES)}{labels};{scaled}"]
    for size in SIZES:
        command += ["-map", f"[o{size}]", "-frames:v", "1", "-q:v", "3", "-f", "mjpeg", str(paths[size])]
    subprocess.run(command, check=True)
