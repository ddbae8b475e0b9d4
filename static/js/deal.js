// The deal, computed again from what the server published: RULES §4.2 and §4.3, nothing else. No page, no network.
(function (scope) {
  "use strict";

  // The messages of the five browsers, joined with a zero byte between two of them.
  function joined(clients, bytes) {
    const parts = clients.map(bytes);
    const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, parts.length - 1));
    let at = 0;
    parts.forEach((part) => { out.set(part, at); at += part.length + 1; });
    return out;
  }

  // 32-bit numbers, one after the other, from HMAC blocks counted 0, 1, 2 …
  function stream(hmac512, key) {
    let block = -1, at = 16, words = null;
    return async function next() {
      if (at === 16) {
        block += 1;
        at = 0;
        const counter = new DataView(new ArrayBuffer(8));
        counter.setBigUint64(0, BigInt(block));
        words = new DataView((await hmac512(key, new Uint8Array(counter.buffer))).buffer);
      }
      at += 1;
      return words.getUint32(4 * (at - 1));
    };
  }

  async function below(next, n) {
    const limit = Math.floor(2 ** 32 / n) * n;
    for (;;) {
      const u = await next();
      if (u < limit) return u % n;
    }
  }

  // data: server_seed (hex), clients, first, deck (unshuffled), reserve_crown. Gives commit, hands, drawn.
  async function recompute(data, sha2, crypto) {
    const seed = sha2.unhex(data.server_seed);
    const commit = sha2.hex(await crypto.sha256(seed));
    const key = await crypto.hmac512(seed, joined(data.clients, sha2.bytes));
    const next = stream(crypto.hmac512, key);
    const deck = data.deck.slice();
    for (let i = deck.length - 1; i > 0; i -= 1) {
      const j = await below(next, i + 1);
      [deck[i], deck[j]] = [deck[j], deck[i]];
    }
    const drawn = data.reserve_crown ? await below(next, 5) : null;
    const hands = [[], [], [], [], []];
    deck.forEach((card, k) => hands[(data.first + k) % 5].push(card));
    return { commit, hands, drawn };
  }

  const sorted = (cards) => cards.slice().sort().join(" ");
  const sameCards = (a, b) => sorted(a) === sorted(b);

  // The unshuffled deck by itself: is what the server calls the deck one? Every copy in its place (RULES §4.2).
  function wellOrdered(deck) {
    const order = [];
    for (const rank of "3456789TJQKA2") for (const suit of "SHCD") order.push(rank + suit);
    order.push("w!", "w", "W!", "W");
    const places = deck.map((card) => order.indexOf(card));
    return places.every((place, i) => place >= 0 && (i === 0 || place >= places[i - 1]));
  }

  scope.Deal = { recompute, sameCards, wellOrdered };
})(typeof window === "undefined" ? globalThis : window);
