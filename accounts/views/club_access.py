"""Who may open which page of a club: one decorator, by which every private page and every form of a club is fetched.

For whoever is no member there is no such page, whatever the club; a member whose role does not reach is told so; an
archived club answers no form. What a service refuses becomes a page with one plain sentence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from accounts import selectors_clubs
from accounts.club_words import sentence
from accounts.models import Club, Membership, Player
from accounts.services import clubs


@dataclass(frozen=True, slots=True)
class Visit:
    """A member in his club."""

    club: Club
    player: Player
    member: Membership

    @property
    def manages(self) -> bool:
        return clubs.rank_of(self.member.role) >= clubs.rank_of(clubs.MANAGER)

    @property
    def owns(self) -> bool:
        return self.member.role == clubs.OWNER


def refused(request: HttpRequest, code: str, club: Club | None = None) -> HttpResponse:
    """One sentence why not, and the way back; for a member that is his club."""
    words, status = sentence(code)
    if status == 404:
        raise Http404
    context = {"message": words, "code": code, "club": club, "wanted": request.get_full_path()}
    return render(request, "clubs/refused.html", context, status=status)


def logged_in(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """For pages of clubs one need not belong to: `player` is passed, refusals become a page."""

    @never_cache
    @login_required
    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        assert isinstance(request.user, Player)
        try:
            return view(request, request.user, *args, **kwargs)
        except clubs.ClubRefused as fault:
            return refused(request, fault.code)

    return wrapper


def for_members(
    least: str = clubs.MEMBER, *, archived: bool = False
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """For pages of a club's members: the view gets a `Visit` instead of the slug.

    `least` is the role that is needed; `archived` lets a form through although the club is archived.
    """

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @never_cache
        @login_required
        @wraps(view)
        def wrapper(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            assert isinstance(request.user, Player)
            member = selectors_clubs.membership(slug, request.user)
            if member is None:
                raise Http404
            visit = Visit(member.club, request.user, member)
            if clubs.rank_of(member.role) < clubs.rank_of(least):
                return refused(request, "forbidden", visit.club)
            if request.method not in ("GET", "HEAD") and visit.club.archived and not archived:
                return refused(request, "archived", visit.club)
            clubs.seen(member=member, now=timezone.now())
            try:
                return view(request, visit, *args, **kwargs)
            except clubs.ClubRefused as fault:
                return refused(request, fault.code, visit.club)

        return wrapper

    return decorate
