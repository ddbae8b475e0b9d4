"""The entry of the server: HTTP goes to Django, sockets go through origin and account checks to the games."""

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "baohuang_site.settings")
django_application = get_asgi_application()

# models can be imported only now
from accounts.channels_auth import socket_auth  # noqa: E402
from games.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {"http": django_application, "websocket": socket_auth(URLRouter(websocket_urlpatterns))}
)
