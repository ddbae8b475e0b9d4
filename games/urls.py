"""Addresses of the games; each module of views lists its own."""

from django.urls import URLPattern

from games.views import (
    api,
    boards,
    club_variants,
    clubs,
    event_direction,
    events,
    fairplay,
    hands,
    health,
    lobby,
    pages,
    people,
    play,
    rules,
)

app_name = "games"
urlpatterns: list[URLPattern] = [
    *pages.urlpatterns,
    *hands.urlpatterns,
    *rules.urlpatterns,
    *play.urlpatterns,
    *clubs.urlpatterns,
    *club_variants.urlpatterns,
    *boards.urlpatterns,
    *people.urlpatterns,
    *health.urlpatterns,
    *events.urlpatterns,
    *event_direction.urlpatterns,
    *fairplay.urlpatterns,
    *lobby.urlpatterns,
    *api.urlpatterns,
]
