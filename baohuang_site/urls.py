"""The root of all addresses."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import include, path
from django.views.decorators.cache import cache_control


@cache_control(public=True, max_age=24 * 3600)
def favicon(request: HttpRequest) -> HttpResponse:
    """Browsers ask for this name on pages that name no icon, such as the admin's."""
    return redirect(static("icons/favicon.svg"))


handler400 = "games.views.api_base.nonsense"
urlpatterns = [
    path("", include("games.urls")),
    path("beans/", include("accounts.urls_beans")),
    path("clubs/", include("accounts.urls_clubs")),
    path("accounts/", include("accounts.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("admin/", admin.site.urls),
    path("favicon.ico", favicon),
]
