"""Rule variants a club can choose from. A variant is a name; what it means lies in its revisions, which never change
once written, so that a table and a hand can point at the very rules they were played by."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Variant(models.Model):
    slug = models.SlugField(_("标识"), max_length=40, unique=True)
    name = models.CharField(_("名称"), max_length=40)
    preset = models.BooleanField(_("内置规则"), default=False)
    retired = models.BooleanField(_("已停用"), default=False)
    position = models.PositiveSmallIntegerField(_("顺序"), default=100)
    # a club's own variant is seen and played by its members only; null: by everybody
    club = models.ForeignKey(
        "accounts.Club",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="variants",
        verbose_name=_("俱乐部"),
    )

    class Meta:
        ordering = ["position", "slug"]
        verbose_name = _("规则")
        verbose_name_plural = _("规则")

    def __str__(self) -> str:
        return self.name


class VariantRevision(models.Model):
    """One state of a variant's rules. `rules` is a whole ruleset (RULES §3); rows are only ever added."""

    variant = models.ForeignKey(Variant, on_delete=models.PROTECT, related_name="revisions", verbose_name=_("规则"))
    number = models.PositiveIntegerField(_("版本"))
    rules = models.JSONField(_("内容"))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(_("建立时间"))
    published_at = models.DateTimeField(_("发布时间"), null=True, blank=True)

    class Meta:
        ordering = ["variant", "-number"]
        verbose_name = _("规则版本")
        verbose_name_plural = _("规则版本")
        constraints = [models.UniqueConstraint(fields=["variant", "number"], name="revision_number_once")]

    def __str__(self) -> str:
        return f"{self.variant.name} #{self.number}"
