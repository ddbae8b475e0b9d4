"""The public addresses of tables and hands (PROTOCOL): part of what is promised, so written down and not looked up."""


def table(table_id: str) -> str:
    return f"/t/{table_id}/"


def record(hand_id: str) -> str:
    return f"/api/hands/{hand_id}/record"


def fair(hand_id: str) -> str:
    return f"/hands/{hand_id}/fair/"
