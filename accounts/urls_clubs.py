"""Addresses of the club pages that know nothing of cards; the others are listed by `games.views.clubs`."""

from django.urls import path

from accounts.views import clubs

app_name = "clubs"
urlpatterns = [
    path("", clubs.index, name="index"),
    path("new", clubs.new, name="new"),
    path("join/<str:token>/", clubs.join, name="join"),
    path("<slug:slug>/request", clubs.ask, name="request"),
    path("<slug:slug>/request/withdraw", clubs.unask, name="withdraw"),
    path("<slug:slug>/invite/", clubs.invite, name="invite"),
    path("<slug:slug>/invite/renew", clubs.renew_invite, name="renew_invite"),
    path("<slug:slug>/leave", clubs.leave, name="leave"),
    path("<slug:slug>/announce", clubs.announce, name="announce"),
    path("<slug:slug>/announcements/<int:announcement_id>/remove", clubs.take_down, name="take_down"),
    path("<slug:slug>/members/<int:player_id>/accept", clubs.accept, name="accept"),
    path("<slug:slug>/members/<int:player_id>/decline", clubs.decline, name="decline"),
    path("<slug:slug>/members/<int:player_id>/remove", clubs.remove, name="remove"),
    path("<slug:slug>/members/<int:player_id>/ban", clubs.ban, name="ban"),
    path("<slug:slug>/members/<int:player_id>/unban", clubs.unban, name="unban"),
    path("<slug:slug>/members/<int:player_id>/role", clubs.role, name="role"),
    path("<slug:slug>/members/<int:player_id>/owner", clubs.hand_over, name="hand_over"),
    path("<slug:slug>/archive", clubs.archive, name="archive"),
    path("<slug:slug>/restore", clubs.restore, name="restore"),
]
