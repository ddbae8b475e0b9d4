"""The games app: rules, tables, hands, bots."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("牌局")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from accounts.signals import account_closed, account_closing, club_changed, export_asked, signed_out
        from games import live
        from games.selectors.personal import on_export_asked
        from games.services import traces
        from games.services.club_tables import on_club_changed
        from games.services.people import on_account_closed, on_account_closing

        club_changed.connect(on_club_changed, dispatch_uid="games.club_tables")
        account_closing.connect(on_account_closing, dispatch_uid="games.people.closing")
        account_closed.connect(on_account_closed, dispatch_uid="games.people.closed")
        signed_out.connect(live.on_signed_out, dispatch_uid="games.live")
        export_asked.connect(on_export_asked, dispatch_uid="games.personal")
        user_logged_in.connect(traces.on_login, dispatch_uid="games.traces")
