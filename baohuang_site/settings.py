"""Settings of the site, all of them from the environment; `.env.example` says what each one means.

Without any setting the site runs as one process on SQLite with an in-memory channel layer. `DATABASE_URL` and
`REDIS_URL` turn the same code into several processes on PostgreSQL and Redis.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dj_database_url

from baohuang_site import env, hosts
from baohuang_site.log import logging_config

BASE_DIR = Path(__file__).resolve().parent.parent
env.load(BASE_DIR)

# --- the data folder: everything written at run time -----------------------------------------------------------

DATA_DIR = (BASE_DIR / env.text("BAOHUANG_DATA", "var")).resolve()
LOG_DIR = DATA_DIR / "logs"
LOG_DIR.mkdir(parents=True, exist_ok=True)

SECRET_KEY = env.secret_key(DATA_DIR)
DEBUG = env.switch("BAOHUANG_DEBUG")

# --- who may ask ------------------------------------------------------------------------------------------------

SERVE_HOST = env.text("BAOHUANG_HOST", "127.0.0.1")
SERVE_PORT = env.whole("BAOHUANG_PORT", 8000, 0, 65535)
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS") or hosts.own_names()
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
CSRF_FAILURE_VIEW = "games.views.api_base.no_csrf_token"

HTTPS = env.switch("BAOHUANG_HTTPS")
if HTTPS:
    # a proxy on this machine ends TLS and sets these headers itself; without it nobody may be believed
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31_536_000
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
# a guest's session is the only way back to his seat and his beans, so it lives long
SESSION_COOKIE_AGE = 180 * 24 * 3600
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# --- the parts --------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "accounts",
    "games",
    "baohuang_site.apps.SiteAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "django_htmx",
    "axes",
]

MIDDLEWARE = [
    "baohuang_site.logs.request_ids",
    "django.middleware.security.SecurityMiddleware",
    "baohuang_site.security.content_security_policy",
    "baohuang_site.security.no_null_characters",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "baohuang_site.language.chosen_language",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.bearer_authentication",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.fair_notice.UnreadNotice",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "baohuang_site.urls"
ASGI_APPLICATION = "baohuang_site.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# --- database, cache, channel layer -----------------------------------------------------------------------------

DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'baohuang.sqlite3'}")
DATABASES: dict[str, Any] = {"default": dj_database_url.parse(DATABASE_URL)}
# A page is served by a thread of its own, so a connection that outlives the request is never used again. Opening one
# costs 2 ms on SQLite and 8 ms on PostgreSQL, where threads borrow from a pool. The writer's thread keeps its own.
DATABASES["default"]["CONN_MAX_AGE"] = 0
if DATABASES["default"]["ENGINE"].endswith("postgresql"):
    DATABASES["default"]["OPTIONS"] = {"pool": {"min_size": 2, "max_size": 24, "timeout": 20}}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    SQLITE_SYNCHRONOUS = env.choice("BAOHUANG_SQLITE_SYNCHRONOUS", "FULL", ("FULL", "NORMAL", "OFF"))
    DATABASES["default"]["OPTIONS"] = {
        # a writer takes the lock when its transaction begins, or waits; never in the middle of it
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL;"
            f"PRAGMA synchronous={SQLITE_SYNCHRONOUS};"
            "PRAGMA foreign_keys=ON;"
            "PRAGMA cache_size=-16000;"
            "PRAGMA temp_store=MEMORY;"
        ),
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL")
CACHES: dict[str, Any]
CHANNEL_LAYERS: dict[str, Any]
if REDIS_URL:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}}
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.core.RedisChannelLayer",
            "CONFIG": {
                # redis-py 8 closes a socket that was idle for five seconds unless it is told to wait for ever
                "hosts": [{"address": REDIS_URL, "socket_timeout": None, "max_connections": 4096}],
                "prefix": "baohuang",
                "capacity": 1000,
            },
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# --- people -----------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.Player"
LOGIN_URL = "accounts:login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Wrong passwords count for a name from an address: guessing at one name stops, while the other members of a club,
# who all come from the same address, go on logging in.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "accounts.forms.counted_name"
AXES_FAILURE_LIMIT = env.whole("BAOHUANG_LOGIN_FAILURES", 10)
AXES_COOLOFF_TIME = 0.25  # hours
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True
AXES_LOCKOUT_CALLABLE = "accounts.views.session.locked_out"
AXES_VERBOSE = False
# sign-ups and new guests from one address in an hour; a whole club behind one router stays far below
SIGNUPS_PER_HOUR = env.whole("BAOHUANG_SIGNUPS_PER_HOUR", 60)
GUESTS_PER_HOUR = env.whole("BAOHUANG_GUESTS_PER_HOUR", 300)
TABLES_PER_HOUR = env.whole("BAOHUANG_TABLES_PER_HOUR", 60)
PROGRAM_TABLES_PER_HOUR = env.whole("BAOHUANG_PROGRAM_TABLES_PER_HOUR", 3000)
ADDRESS_TABLES_PER_HOUR = env.whole("BAOHUANG_ADDRESS_TABLES_PER_HOUR", 10000)

# Mail is for forgotten passwords only. Without a host it is written to standard output, for trying.
EMAIL_HOST = env.text("BAOHUANG_MAIL_HOST")
EMAIL_PORT = env.whole("BAOHUANG_MAIL_PORT", 587)
EMAIL_HOST_USER = env.text("BAOHUANG_MAIL_USER")
EMAIL_HOST_PASSWORD = env.text("BAOHUANG_MAIL_PASSWORD")
EMAIL_USE_TLS = env.switch("BAOHUANG_MAIL_TLS", True)
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("BAOHUANG_MAIL_FROM", "baohuang@localhost")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
# whether a mail is sent beside the answer, whose time then says nothing about who has an account
MAIL_BESIDE = bool(EMAIL_HOST)
PASSWORD_RESET_TIMEOUT = 24 * 3600

# --- language and time ------------------------------------------------------------------------------------------

LANGUAGE_CODE = "zh-hans"
LANGUAGES = [("zh-hans", "简体中文"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.text("BAOHUANG_TIME_ZONE", "Asia/Shanghai")
USE_TZ = True

# --- static files -----------------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
# whitenoise looks at the folder when it starts, also when nothing has been collected into it yet
STATIC_ROOT.mkdir(exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
STORAGES: dict[str, Any] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
if DEBUG:
    STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}

# --- the tables' clocks, in seconds -----------------------------------------------------------------------------

BOT_SECONDS = env.span("BAOHUANG_BOT_SECONDS", "0.8-1.8")
REVEAL_SECONDS = env.whole("BAOHUANG_REVEAL_SECONDS", 5, 0, 3600)
STEP_SECONDS = env.whole("BAOHUANG_STEP_SECONDS", 15, 1, 3600)
PLAY_SECONDS = env.whole("BAOHUANG_PLAY_SECONDS", 20, 1, 3600)
NEXT_SECONDS = env.whole("BAOHUANG_NEXT_SECONDS", 20, 0, 3600)

# --- how long things are kept: days for `manage.py prune`, 0 for ever ----------------------------------------------

KEEP_MOVES_DAYS = env.whole("BAOHUANG_KEEP_MOVES_DAYS", 0)
KEEP_CHAT_DAYS = env.whole("BAOHUANG_KEEP_CHAT_DAYS", 90)

LOGGING = logging_config(LOG_DIR, env.text("BAOHUANG_LOG_LEVEL", "INFO"))
