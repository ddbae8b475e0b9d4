"""A link as a picture to be photographed: a QR code as inline SVG without styles, painted by the style sheet."""

from __future__ import annotations

from io import BytesIO

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_svg(text: str) -> SafeString:
    """The code of this text. Black on white in every theme comes from `.qr` in the style sheet."""
    out = BytesIO()
    looks = {"omitsize": True, "border": 3, "svgclass": "qr", "lineclass": None}
    segno.make_qr(text, error="m").save(out, kind="svg", xmldecl=False, svgns=False, nl=False, **looks)
    # markup of the library: numbers and path commands only, the text itself is not in it
    return mark_safe(out.getvalue().decode())
