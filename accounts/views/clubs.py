"""The pages of clubs that know nothing of cards: the list, founding one, invitations, requests, and every form by
which members, roles and notices change. Pages that show tables or rules are the games'.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import selectors_clubs
from accounts.club_words import sentence
from accounts.forms_clubs import AnnouncementForm, BanForm, NewClubForm, RequestForm
from accounts.models import Club, Player
from accounts.qr import qr_svg
from accounts.services import clubs
from accounts.views.club_access import Visit, for_members, logged_in, refused


@require_safe
@logged_in
def index(request: HttpRequest, player: Player) -> HttpResponse:
    """My clubs, and those I can ask."""
    context = {
        "clubs": selectors_clubs.clubs_of(player),
        "archived": selectors_clubs.clubs_of(player, archived=True),
        "offers": selectors_clubs.clubs_to_ask(player),
    }
    return render(request, "clubs/index.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def new(request: HttpRequest, player: Player) -> HttpResponse:
    """Found a club."""
    if player.is_guest:
        return refused(request, "guest")
    form = NewClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            club = clubs.create(by=player, now=timezone.now(), **form.cleaned_data)
        except clubs.ClubRefused as fault:
            fields = {"name_taken": "name", "slug_taken": "slug"}
            form.add_error(fields.get(fault.code), str(sentence(fault.code)[0]))
        else:
            messages.success(request, _("俱乐部建好了。把邀请链接发给大家吧。"))
            return redirect("clubs:invite", slug=club.slug)
    return render(request, "clubs/new.html", {"form": form}, status=422 if form.errors else 200)


# --- coming in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """What an invitation opens: whose club it is, and one button. Whoever is not logged in does that first."""
    club = clubs.by_invite(token)
    if club is None:
        raise Http404
    player = request.user if isinstance(request.user, Player) else None
    if player is not None and selectors_clubs.role_in(club, player) is not None:
        return redirect(club)
    if club.archived:
        return refused(request, "archived")
    if player is not None and selectors_clubs.is_banned(club, player):
        return refused(request, "banned")
    if club.join == Club.Join.CLOSED:
        return refused(request, "closed")
    if player is not None and player.is_guest and request.method == "POST":
        return refused(request, "guest")
    if request.method == "POST" and player is not None:
        return _come_in(request, club, token, player)
    context = {
        "club": club,
        "members": club.memberships.count(),
        "form": RequestForm(),
        "asked": player is not None and selectors_clubs.has_asked(club, player),
        "by_invite": True,
    }
    return render(request, "clubs/front.html", context)


def _come_in(request: HttpRequest, club: Club, token: str, player: Player) -> HttpResponse:
    now = timezone.now()
    try:
        if club.join == Club.Join.REQUEST:
            clubs.request(club=club, player=player, text=_text(request), now=now)
            messages.success(request, _("申请已经交上去了，管理员同意后你就是会员。"))
            return redirect("clubs:join", token=token)
        clubs.join_by_link(token=token, player=player, now=now)
    except clubs.ClubRefused as fault:
        return refused(request, fault.code)
    messages.success(request, _("你加入了“%(name)s”。") % {"name": club.name})
    return redirect(club)


def _text(request: HttpRequest) -> str:
    form = RequestForm(request.POST)
    return str(form.cleaned_data["text"]) if form.is_valid() else ""


def front(request: HttpRequest, player: Player, slug: str) -> HttpResponse:
    """What a stranger sees of a club that takes requests; of any other club nothing."""
    club = _asked_club(slug)
    if selectors_clubs.is_banned(club, player):
        return refused(request, "banned")
    context = {
        "club": club,
        "members": club.memberships.count(),
        "form": RequestForm(),
        "asked": selectors_clubs.has_asked(club, player),
    }
    return render(request, "clubs/front.html", context)


def _asked_club(slug: str) -> Club:
    return get_object_or_404(Club, slug=slug, join=Club.Join.REQUEST, archived_at=None)


@require_POST
@logged_in
def ask(request: HttpRequest, player: Player, slug: str) -> HttpResponse:
    """`POST /clubs/SLUG/request`."""
    club = _asked_club(slug)
    if clubs.request(club=club, player=player, text=_text(request), now=timezone.now()) is not None:
        messages.success(request, _("申请已经交上去了，管理员同意后你就是会员。"))
    return redirect(club)


@require_POST
@logged_in
def unask(request: HttpRequest, player: Player, slug: str) -> HttpResponse:
    """`POST /clubs/SLUG/request/withdraw`: nobody learns whether there was a club or a request."""
    club = Club.objects.filter(slug=slug).first()
    if club is None or not selectors_clubs.has_asked(club, player):
        raise Http404
    clubs.withdraw_request(club=club, player=player)
    messages.success(request, _("申请已经收回。"))
    return redirect("clubs:index")


# --- for members


@require_safe
@for_members()
def invite(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The link that lets others in, to be sent, copied or photographed."""
    context = {"visit": visit, "club": visit.club, "here": "invite"}
    link = request.build_absolute_uri(f"/clubs/join/{visit.club.invite}/")
    return render(request, "clubs/invite.html", {**context, "link": link, "qr": qr_svg(link)})


@require_POST
@for_members(clubs.MANAGER)
def renew_invite(request: HttpRequest, visit: Visit) -> HttpResponse:
    clubs.renew_invite(club=visit.club, by=visit.player)
    messages.success(request, _("换了新链接，旧的从现在起作废。"))
    return redirect("clubs:invite", slug=visit.club.slug)


@require_POST
@for_members()
def leave(request: HttpRequest, visit: Visit) -> HttpResponse:
    clubs.leave(club=visit.club, player=visit.player)
    messages.success(request, _("你离开了“%(name)s”。") % {"name": visit.club.name})
    return redirect("clubs:index")


# --- for managers


@require_POST
@for_members(clubs.MANAGER)
def announce(request: HttpRequest, visit: Visit) -> HttpResponse:
    form = AnnouncementForm(request.POST)
    if form.is_valid():
        clubs.announce(club=visit.club, by=visit.player, text=form.cleaned_data["text"], now=timezone.now())
        messages.success(request, _("公告发出去了。"))
    else:
        messages.error(request, str(form.errors["text"][0]))
    return redirect(visit.club)


@require_POST
@for_members(clubs.MANAGER)
def take_down(request: HttpRequest, visit: Visit, announcement_id: int) -> HttpResponse:
    clubs.take_down(club=visit.club, by=visit.player, announcement_id=announcement_id)
    messages.success(request, _("公告已经撤下。"))
    return redirect(visit.club)


def _other(player_id: int) -> Player:
    return get_object_or_404(Player, pk=player_id)


def _to_members(visit: Visit) -> HttpResponse:
    return redirect("games:club_members", slug=visit.club.slug)


@require_POST
@for_members(clubs.MANAGER)
def accept(request: HttpRequest, visit: Visit, player_id: int) -> HttpResponse:
    clubs.accept(club=visit.club, by=visit.player, player=_other(player_id), now=timezone.now())
    messages.success(request, _("已经同意。"))
    return _to_members(visit)


@require_POST
@for_members(clubs.MANAGER)
def decline(request: HttpRequest, visit: Visit, player_id: int) -> HttpResponse:
    clubs.decline(club=visit.club, by=visit.player, player=_other(player_id))
    messages.success(request, _("已经回绝。"))
    return _to_members(visit)


@require_POST
@for_members(clubs.MANAGER)
def remove(request: HttpRequest, visit: Visit, player_id: int) -> HttpResponse:
    clubs.remove(club=visit.club, by=visit.player, player=_other(player_id))
    messages.success(request, _("已经请出俱乐部。"))
    return _to_members(visit)


@require_POST
@for_members(clubs.MANAGER)
def ban(request: HttpRequest, visit: Visit, player_id: int) -> HttpResponse:
    form = BanForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    clubs.ban(club=visit.club, by=visit.player, player=_other(player_id), reason=reason, now=timezone.now())
    messages.success(request, _("已经禁入，他不能再加入。"))
    return _to_members(visit)


@require_POST
@for_members(clubs.MANAGER)
def unban(request: HttpRequest, visit: Visit, player_id: int) -> HttpResponse:
    clubs.unban(club=visit.club, by=visit.player, player=_other(player_id))
    messages.success(request, _("已经解除禁入。"))
    return _to_members(visit)


# --- for the owner


@require_POST
@for_members(clubs.OWNER)
def role(request: HttpRequest, visit: Visit, player_id: int) -> HttpResponse:
    wanted = request.POST.get("role", "")
    clubs.set_role(club=visit.club, by=visit.player, player=_other(player_id), role=wanted)
    messages.success(request, _("职务改好了。"))
    return _to_members(visit)


@require_POST
@for_members(clubs.OWNER)
def hand_over(request: HttpRequest, visit: Visit, player_id: int) -> HttpResponse:
    other = _other(player_id)
    clubs.hand_over(club=visit.club, by=visit.player, to=other)
    messages.success(request, _("现在会长是 %(name)s，你是管理员。") % {"name": other.username})
    return _to_members(visit)


@require_POST
@for_members(clubs.OWNER)
def archive(request: HttpRequest, visit: Visit) -> HttpResponse:
    clubs.archive(club=visit.club, by=visit.player, now=timezone.now())
    messages.success(request, _("俱乐部已经停用，大家还能看，不能改。"))
    return redirect(visit.club)


@require_POST
@for_members(clubs.OWNER, archived=True)
def restore(request: HttpRequest, visit: Visit) -> HttpResponse:
    clubs.restore(club=visit.club, by=visit.player)
    messages.success(request, _("俱乐部恢复了。"))
    return redirect(visit.club)
