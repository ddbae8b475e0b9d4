"""When two names are the same to the eye: the key by which names are kept unique.

Compatibility forms, capitals and letters of other scripts that look like Latin ones all come to one key, so that nobody
sits down as somebody else. Pure; the key is never shown.
"""

from __future__ import annotations

import unicodedata

KEY_LENGTH = 80

# Cyrillic and Greek small letters (after folding capitals) that are drawn like Latin ones, and what digits pass for
_LOOKS_LIKE = str.maketrans(
    {
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "н": "h", "і": "i", "ј": "j",
        "к": "k", "ӏ": "l", "м": "m", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "у": "y", "ү": "y", "ѵ": "v",
        "ԝ": "w", "х": "x",
        "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "μ": "u", "ν": "v", "ο": "o", "ρ": "p", "τ": "t",
        "υ": "u", "χ": "x", "γ": "y", "ω": "w", "ς": "s",
        "ı": "i", "ɑ": "a", "ɡ": "g", "ʟ": "l", "ո": "n", "օ": "o", "ս": "u",
        "0": "o", "1": "l", "|": "l",
        "〇": "o", "ー": "一", "丶": "、", "囗": "口", "ロ": "口", "エ": "工", "カ": "力", "タ": "夕", "ニ": "二",
        "ハ": "八",
        "卜": "ト", "へ": "ヘ",
    }
)  # fmt: skip


def key_of(name: str) -> str:
    """The key of a name; equal keys mean that one could be taken for the other."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    plain = unicodedata.normalize("NFD", folded)
    # accents go; what makes another syllable of a Japanese or Korean one stays
    kept = "".join(c for c in plain if not "\u0300" <= c <= "\u036f" and unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFC", kept).translate(_LOOKS_LIKE)[:KEY_LENGTH]
