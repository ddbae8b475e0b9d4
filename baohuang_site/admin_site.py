"""Django's admin, with the name the club knows."""

from django.contrib.admin import AdminSite
from django.utils.translation import gettext_lazy as _


class SiteAdmin(AdminSite):
    site_header = _("保皇 管理")
    site_title = _("保皇 管理")
    index_title = _("管理首页")
