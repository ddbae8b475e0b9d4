"""Plain sentences for what a club refuses, by the code of `ClubRefused`, with the HTTP status that fits."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

SENTENCES: dict[str, tuple[Any, int]] = {
    "archived": (_("这个俱乐部已经停用，只能看，不能改。"), 409),
    "ask": (_("这个俱乐部要先申请，管理员同意了才能加入。"), 409),
    "banned": (_("你不能加入这个俱乐部。有疑问请找会长。"), 403),
    "closed": (_("这个俱乐部现在不收新会员。"), 409),
    "empty": (_("公告还没有写内容。"), 409),
    "forbidden": (_("这件事你的职务做不了，请找会长或管理员。"), 403),
    "guest": (_("你现在是游客。先注册一个账号，才能加入或者新建俱乐部。"), 403),
    "name_taken": (_("已经有俱乐部叫这个名字了，请换一个。"), 409),
    "not_member": (_("这个人现在不在会员名单里，也没有在申请。"), 409),
    "owner_stays": (_("你是会长，不能直接离开：先把俱乐部转给别的会员，或者停用俱乐部。"), 409),
    "slug_taken": (_("这个网址代号已经有人用了，请换一个。"), 409),
    "too_many": (_("已经到数量上限了，不能再多。"), 409),
}


def sentence(code: str) -> tuple[Any, int]:
    """What to say and with which status."""
    return SENTENCES.get(code, (_("没有这个俱乐部。"), 404))
