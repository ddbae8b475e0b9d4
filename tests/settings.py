"""The site's settings for tests: a data folder of their own, cheap passwords, files found without collecting them.

The database is a real file, so that threads and sockets meet the locks they meet in life; `DATABASE_URL` and
`REDIS_URL` run the same tests on PostgreSQL and Redis.
"""

import atexit
import os
import shutil
import tempfile

_data = tempfile.mkdtemp(prefix="baohuang-test-")
# the settings are read again by child processes of a test: only the one that made the folder removes it
_owner = os.getpid()
atexit.register(lambda: os.getpid() == _owner and shutil.rmtree(_data, ignore_errors=True))
os.environ["BAOHUANG_DATA"] = _data
os.environ["BAOHUANG_ENV_FILE"] = os.devnull
os.environ["BAOHUANG_SQLITE_SYNCHRONOUS"] = "OFF"
# tests that run side by side empty the cache: each process has a Redis database of its own, its children the same
_worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
if os.environ.get("REDIS_URL") and _worker and not os.environ.get("BAOHUANG_TEST_REDIS"):
    _server, _, _number = os.environ["REDIS_URL"].rpartition("/")
    os.environ["BAOHUANG_TEST_REDIS"] = os.environ["REDIS_URL"] = f"{_server}/{int(_number) - int(_worker)}"

from baohuang_site.settings import *  # noqa: E402, F403
from baohuang_site.settings import DATA_DIR, DATABASES, STORAGES  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_AUTOREFRESH = False
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
