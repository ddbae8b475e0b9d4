#!/usr/bin/env python
"""Django's command line for this project."""

import os
import sys


def main() -> None:
    if sys.argv[1:] == ["referee"]:
        # It needs nothing of Django and is started by other programs, often: 0.1 s instead of 0.6.
        from games.engine.referee import serve

        serve(sys.stdin.buffer, sys.stdout.buffer)
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "baohuang_site.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
