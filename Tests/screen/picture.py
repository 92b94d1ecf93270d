"""Draws what a terminal shows: text with the sequences of colours and weights, as `tmux capture-pane -e` gives it.

rich reads the sequences and counts columns, Pillow draws. One cell is one cell: every letter stands at its own column,
whatever its font says, and bars and lines are drawn so that they touch.
"""
import pathlib

from PIL import Image, ImageDraw, ImageFont
from rich.ansi import AnsiDecoder
from rich.cells import cell_len
from rich.console import Console

FONTS = pathlib.Path("/usr/share/fonts/truetype")
SIZE = 26  # pixels of the letters; pictures are shown at half of it
GROUND, INK = (29, 31, 38), (214, 216, 222)
COLOURS = [
    (29, 31, 38), (232, 98, 92), (126, 200, 112), (226, 184, 92), (102, 156, 236), (200, 130, 220), (92, 196, 204),
    (214, 216, 222),
]
MARGIN, BAR = 28, 52
# Where rich looks up styles by name; this text has none.
CONSOLE = Console()


class Fonts:
    """The letters, and for what they lack the coloured emoji."""

    def __init__(self):
        self.plain = ImageFont.truetype(str(FONTS / "dejavu/DejaVuSansMono.ttf"), SIZE)
        self.bold = ImageFont.truetype(str(FONTS / "dejavu/DejaVuSansMono-Bold.ttf"), SIZE)
        # Its only size.
        self.emoji = ImageFont.truetype(str(FONTS / "noto/NotoColorEmoji.ttf"), 109)
        self.width = round(self.plain.getlength("M"))
        self.height = round(SIZE * 1.32)

    def emoji_image(self, letter):
        """A coloured emoji, two cells wide."""
        image = Image.new("RGBA", (136, 128))
        ImageDraw.Draw(image).text((0, 0), letter, font=self.emoji, embedded_color=True)
        side = min(self.width * 2, self.height) - 2
        return image.resize((side, side), Image.LANCZOS)


def mixed(front, back, part):
    return tuple(round(f * part + b * (1 - part)) for f, b in zip(front, back))


def looks(style, default):
    """Ink and ground of a style of rich's."""
    ink, ground = default
    if style.color is not None and style.color.number is not None:
        ink = COLOURS[style.color.number % 8]
    if style.bgcolor is not None and style.bgcolor.number is not None:
        ground = COLOURS[style.bgcolor.number % 8]
    if style.dim:
        ink = mixed(ink, ground, 0.55)
    return (ground, ink) if style.reverse else (ink, ground)


def cells(text):
    """Letters of a line with their columns, widths and styles; blanks included."""
    place = 0
    for index, letter in enumerate(text.plain):
        width = cell_len(letter)
        style = text.get_style_at_offset(CONSOLE, index)
        if width > 0:
            yield place, width, letter, style
        place += width


def draw(screen, columns, rows, path, title):
    """Writes a PNG of the screen in a window with a title."""
    fonts = Fonts()
    width, height = columns * fonts.width + 2 * MARGIN, rows * fonts.height + MARGIN + BAR + MARGIN // 2
    image = Image.new("RGB", (width, height), GROUND)
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, width, BAR - 12), fill=(44, 47, 56))
    pen.text((width / 2, (BAR - 12) / 2), title, font=fonts.plain, fill=(160, 164, 174), anchor="mm")
    # One decoder for all lines: a style goes on at the next one.
    for row, line in enumerate(list(AnsiDecoder().decode(screen))[:rows]):
        top = BAR + row * fonts.height
        for column, span, letter, style in cells(line):
            ink, ground = looks(style, (INK, GROUND))
            left = MARGIN + column * fonts.width
            box = (left, top, left + span * fonts.width - 1, top + fonts.height - 1)
            if ground != GROUND:
                pen.rectangle(box, fill=ground)
            if letter == " ":
                continue
            if ord(letter) >= 0x1F300:
                emoji = fonts.emoji_image(letter)
                image.paste(emoji, (left + 1, top + (fonts.height - emoji.height) // 2), emoji)
                continue
            pen.text((left, top + 1), letter, font=fonts.bold if style.bold else fonts.plain, fill=ink)
    # The palette keeps the emoji's colours, which are few of the cells.
    image = image.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    image.save(path, optimize=True)
