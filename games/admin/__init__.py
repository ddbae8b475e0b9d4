"""Django's admin for the games: variants are made and published here, tables and hands are only looked at.

No logic lives here: writing goes through services. What a page may show is listed field by field, so that a new column
of a model is hidden until somebody decides otherwise.
"""

from games.admin.fairplay import DesertionAdmin, ReportAdmin, SanctionAdmin, SignalAdmin
from games.admin.hands import HandAdmin
from games.admin.revisions import VariantRevisionAdmin
from games.admin.seasons import SeasonAdmin
from games.admin.tables import TableAdmin
from games.admin.variants import VariantAdmin

__all__ = [
    "DesertionAdmin",
    "HandAdmin",
    "ReportAdmin",
    "SanctionAdmin",
    "SeasonAdmin",
    "SignalAdmin",
    "TableAdmin",
    "VariantAdmin",
    "VariantRevisionAdmin",
]
