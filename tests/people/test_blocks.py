"""Blocking and muting, as those ask who match players and carry what they say."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from accounts.models import Block, Player
from accounts.services import blocks
from accounts.services.players import sign_up

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)


@pytest.fixture
def people() -> dict[str, Player]:
    return {name: sign_up(username=name, password=None) for name in ("ann", "bob", "cat", "dan")}


def test_a_block_parts_two_people_whoever_made_it_and_nobody_else(people: dict[str, Player]) -> None:
    ann, bob, cat, dan = people.values()
    blocks.block(ann, bob, now=NOW)
    blocks.block(cat, ann, now=NOW)
    blocks.mute(bob, dan, now=NOW)
    ids = [player.pk for player in people.values()]
    assert blocks.blocked_pairs(ids) == {frozenset({ann.pk, bob.pk}), frozenset({ann.pk, cat.pk})}
    assert blocks.blocked_pairs(ids[1:]) == set()
    assert blocks.blocked_pairs([ann.pk]) == set()
    assert blocks.blocked_with(ann) == {bob.pk, cat.pk}
    assert blocks.blocked_with(bob.pk) == {ann.pk}
    assert blocks.blocked_with(dan) == set()


def test_who_blocks_or_mutes_does_not_hear_but_is_heard(people: dict[str, Player]) -> None:
    ann, bob, cat, _dan = people.values()
    blocks.block(ann, bob, now=NOW)
    blocks.mute(ann, cat, now=NOW)
    heard = {(a, b) for a in people for b in people if a != b and blocks.hears(people[a], people[b])}
    assert heard == {(a, b) for a in people for b in people if a != b} - {("ann", "bob"), ("ann", "cat")}
    assert blocks.mutes(ann.pk) == {bob.pk, cat.pk}


def test_saying_it_twice_and_taking_it_back_twice_change_nothing_more(people: dict[str, Player]) -> None:
    ann, bob, *_rest = people.values()
    for _ in range(2):
        blocks.block(ann, bob, now=NOW)
        blocks.mute(ann, bob, now=NOW)
    assert Block.objects.count() == 2
    assert blocks.said(ann, bob) == {"block", "mute"}
    for _ in range(2):
        blocks.unblock(ann, bob)
    assert blocks.blocked_pairs([ann.pk, bob.pk]) == set()
    assert not blocks.hears(ann, bob)
    blocks.unmute(ann, bob)
    assert blocks.hears(ann, bob)
    assert blocks.of(ann) == []


def test_nobody_blocks_himself_and_no_list_grows_without_end(
    people: dict[str, Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, cat, _dan = people.values()
    with pytest.raises(blocks.BlockRefused) as refused:
        blocks.mute(ann, ann)
    assert refused.value.code == "self"
    monkeypatch.setattr(blocks, "MOST", 1)
    blocks.block(ann, bob)
    with pytest.raises(blocks.BlockRefused) as refused:
        blocks.block(ann, cat)
    assert refused.value.code == "too_many"
