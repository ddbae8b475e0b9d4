"""Seasons: a range of days with boards of its own, and the one row that keeps hands and seasons in their order."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Season(models.Model):
    """`starts` and `ends` are its first and last day in the site's time zone. `opened_after` and `closed_after` are
    the numbers of the last hand before it began and before its boards became final; they are set once, by
    `games.services.seasons`."""

    name = models.CharField(_("名称"), max_length=40)
    starts = models.DateField(_("第一天"))
    ends = models.DateField(_("最后一天"))
    keep = models.PositiveSmallIntegerField(
        _("保留百分之几"),
        default=75,
        validators=[MaxValueValidator(100)],
        help_text=_("开季时等级分离1500的距离留下这么多，其余归零；从此变动又快起来。"),
    )
    opened_after = models.BigIntegerField(null=True, editable=False)
    closed_after = models.BigIntegerField(null=True, editable=False)

    class Meta:
        ordering = ["-starts"]
        verbose_name = _("赛季")
        verbose_name_plural = _("赛季")
        constraints = [
            models.CheckConstraint(condition=Q(ends__gte=F("starts")), name="season_ends_after_it_starts"),
            models.CheckConstraint(condition=Q(keep__lte=100), name="season_keeps_at_most_all"),
            models.CheckConstraint(
                condition=Q(closed_after__isnull=True) | Q(opened_after__isnull=False), name="season_closed_was_open"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def final(self) -> bool:
        return self.closed_after is not None

    @property
    def period(self) -> str:
        """Its key in `Tally.period`."""
        return f"s{self.pk}"

    def clean(self) -> None:
        if self.starts is None or self.ends is None:
            return
        if self.ends < self.starts:
            raise ValidationError({"ends": _("最后一天不能早于第一天。")})
        others = Season.objects.exclude(pk=self.pk).filter(starts__lte=self.ends, ends__gte=self.starts)
        if others.exists():
            raise ValidationError(_("和另一个赛季的日子重叠了。"))


class RatingBook(models.Model):
    """One row, locked by whoever counts a hand: the number of the last hand that was counted."""

    last = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("局次")
        verbose_name_plural = _("局次")
        constraints = [models.CheckConstraint(condition=Q(pk=1), name="one_rating_book")]

    def __str__(self) -> str:
        return str(self.last)
