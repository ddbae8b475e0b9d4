"""The admin site under its own name."""

from django.contrib.admin.apps import AdminConfig


class SiteAdminConfig(AdminConfig):
    default_site = "baohuang_site.admin_site.SiteAdmin"
