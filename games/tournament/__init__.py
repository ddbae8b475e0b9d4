"""Tournaments as arithmetic: who sits where in the next round, and who stands where after the last.

Everything here is a pure function of rows and a seed: no Django, no clock, no global chance. An entrant is a whole
number the caller chose; a bot that fills a seat is `None`. A table is five seats in order, a round is its tables, and
what was played before is the sequence of earlier rounds.
"""
