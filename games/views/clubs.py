"""The pages of a club that show its games: home with the open tables, members with what they play, settings.

Who may open them is decided by `accounts.views.club_access`; forms that concern people alone are in `accounts.views`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import selectors_clubs
from accounts.club_words import sentence
from accounts.forms_clubs import AnnouncementForm, BanForm, ClubSettingsForm
from accounts.models import Membership, Player
from accounts.services import clubs
from accounts.views import clubs as people_pages
from accounts.views.club_access import Visit, for_members, logged_in
from games.new_table import choices_of_variants
from games.selectors import club_tables, events, variants

A_PAGE = 50


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member in the list; `last` is in words, `hands` of this month."""

    member: Membership
    name: str
    role: str
    last: str
    hands: int


@never_cache
@require_safe
@login_required
def home(request: HttpRequest, slug: str) -> HttpResponse:
    """The club: notices and open tables for members; for others its name, if it takes requests."""
    assert isinstance(request.user, Player)
    if selectors_clubs.membership(slug, request.user) is None:
        return _front(request, slug)
    return _home(request, slug)


@logged_in
def _front(request: HttpRequest, player: Player, slug: str) -> HttpResponse:
    return people_pages.front(request, player, slug)


@for_members()
def _home(request: HttpRequest, visit: Visit) -> HttpResponse:
    club = visit.club
    context = {
        "here": "home",
        "visit": visit,
        "club": club,
        "tables": club_tables.open_tables(club),
        "events": events.ahead(club),
        "announcements": selectors_clubs.announcements_of(club),
        "members": club.memberships.count(),
        "requests": club.requests.count() if visit.manages else 0,
        "usual": _usual(visit),
        "form": AnnouncementForm(),
    }
    return render(request, "clubs/home.html", context)


def _usual(visit: Visit) -> str:
    """The name of the club's usual rules, if they can be played."""
    found = variants.offer(visit.club.default_variant, visit.player) if visit.club.default_variant else None
    return found.name if found is not None and not found.retired else ""


@require_safe
@for_members()
def members(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Who belongs to the club, who was here when, who plays how much; for managers also who waits and who may not."""
    now = timezone.now()
    search = request.GET.get("q", "").strip()[:16]
    page = Paginator(selectors_clubs.members_of(visit.club, search=search), A_PAGE).get_page(request.GET.get("page"))
    rows = list(page.object_list)
    hands = club_tables.hands_this_month(visit.club, [row.player_id for row in rows], now)
    context = {
        "here": "members",
        "visit": visit,
        "club": visit.club,
        "page": page,
        "search": search,
        "lines": [_line(row, hands.get(row.player_id, 0), now) for row in rows],
        "requests": selectors_clubs.requests_of(visit.club) if visit.manages else [],
        "bans": selectors_clubs.bans_of(visit.club) if visit.manages else [],
    }
    return render(request, "clubs/members.html", context)


def _line(member: Membership, hands: int, now: datetime) -> MemberLine:
    role = Membership.Role(member.role).label
    return MemberLine(member, member.player.username, str(role), ago(member.last_active, now), hands)


def ago(moment: datetime, now: datetime) -> str:
    """How many days ago by the calendar, in words."""
    days = (timezone.localdate(now) - timezone.localdate(moment)).days
    if days <= 0:
        return _("今天")
    if days == 1:
        return _("昨天")
    if days < 60:
        return ngettext("%(n)d天前", "%(n)d天前", days) % {"n": days}
    return timezone.localtime(moment).strftime("%Y-%m-%d")


@require_safe
@for_members()
def member(request: HttpRequest, visit: Visit, player_id: int) -> HttpResponse:
    """One member, and what the one who looks may do about him."""
    shown = get_object_or_404(Membership.objects.select_related("player"), club=visit.club, player_id=player_id)
    now = timezone.now()
    above = visit.manages and clubs.rank_of(visit.member.role) > clubs.rank_of(shown.role)
    context = {
        "here": "members",
        "visit": visit,
        "club": visit.club,
        "shown": shown,
        "line": _line(shown, club_tables.hands_this_month(visit.club, [player_id], now).get(player_id, 0), now),
        "above": above and not visit.club.archived,
        "form": BanForm(),
    }
    return render(request, "clubs/member.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@for_members(clubs.MANAGER)
def settings(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Name, description, way in and usual rules; for the owner also archiving."""
    club = visit.club
    playable = [(slug, rules.name or slug) for slug, rules in choices_of_variants(club)]
    initial = {name: getattr(club, name) for name in ("name", "description", "join", "default_variant")}
    form = ClubSettingsForm(request.POST or None, initial=initial, variants=playable)
    if request.method == "POST" and form.is_valid():
        try:
            clubs.edit(club=club, by=visit.player, **form.cleaned_data)
        except clubs.ClubRefused as fault:
            if fault.code != "name_taken":
                raise
            form.add_error("name", str(sentence(fault.code)[0]))
        else:
            messages.success(request, _("已经保存。"))
            return redirect(club)
    context = {"here": "settings", "visit": visit, "club": club, "form": form}
    return render(request, "clubs/settings.html", context, status=422 if form.errors else 200)


urlpatterns = [
    path("clubs/<slug:slug>/", home, name="club"),
    path("clubs/<slug:slug>/members/", members, name="club_members"),
    path("clubs/<slug:slug>/members/<int:player_id>/", member, name="club_member"),
    path("clubs/<slug:slug>/settings/", settings, name="club_settings"),
]
