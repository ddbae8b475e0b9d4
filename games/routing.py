"""Addresses of the sockets."""

from typing import Any

from django.urls import path

from games.consumers import table_socket
from games.consumers_lobby import lobby_socket

urlpatterns: list[Any] = [
    path("ws/tables/<str:table_id>/", table_socket),  # type: ignore[arg-type]
    path("ws/lobby/", lobby_socket),
]
websocket_urlpatterns = urlpatterns
