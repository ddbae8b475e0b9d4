"""Addresses of the account pages."""

from django.urls import path

from accounts.views import passwords, profile, session, settings

app_name = "accounts"
urlpatterns = [
    path("login/", session.Login.as_view(), name="login"),
    path("logout/", session.logout, name="logout"),
    path("signup/", session.signup, name="signup"),
    path("guest/", session.guest, name="guest"),
    path("claim/", session.claim, name="claim"),
    path("", profile.profile, name="profile"),
    path("name/", settings.name, name="name"),
    path("email/", settings.email, name="email"),
    path("privacy/", settings.private, name="privacy"),
    path("blocks/", settings.block_list, name="blocks"),
    path("everywhere/", settings.everywhere, name="everywhere"),
    path("export/", settings.export, name="export"),
    path("close/", settings.close, name="close"),
    path("password/", passwords.Change.as_view(), name="password"),
    path("forgotten/", passwords.Forgotten.as_view(), name="forgotten"),
    path("forgotten/sent/", passwords.ForgottenSent.as_view(), name="forgotten_sent"),
    path("renew/<uidb64>/<token>/", passwords.Renew.as_view(), name="renew"),
    path("tokens/", profile.token_list, name="tokens"),
    path("tokens/<int:token_id>/revoke/", profile.token_revoke, name="token_revoke"),
]
