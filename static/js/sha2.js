// SHA-256, SHA-512 and HMAC-SHA-512. The browser's own WebCrypto where there is one; on a plain http address in a club's
// network there is none (no "secure context"), so both hashes are written out here as FIPS 180-4 describes them.
(function (scope) {
  "use strict";
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (array) => Array.from(array, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));

  // The constants are the fractional parts of square and cube roots of the first primes; computed, not copied.
  function primes(count) {
    const found = [];
    for (let n = 2n; found.length < count; n += 1n) if (found.every((p) => n % p !== 0n)) found.push(n);
    return found;
  }
  function root(value, power) { // the whole part of value ** (1 / power), by bisection
    let low = 0n, high = 1n << 80n;
    while (low < high) {
      const middle = (low + high + 1n) >> 1n;
      if (middle ** power <= value) low = middle; else high = middle - 1n;
    }
    return low;
  }
  const fraction = (prime, power) => root(prime << (64n * power), power) & 0xffffffffffffffffn;
  const first = primes(80);
  const K64 = first.map((prime) => fraction(prime, 3n)), H64 = first.slice(0, 8).map((prime) => fraction(prime, 2n));
  const K32 = K64.slice(0, 64).map((k) => Number(k >> 32n)), H32 = H64.map((h) => Number(h >> 32n));

  function padded(message, block, lengthBytes) {
    const size = Math.ceil((message.length + 1 + lengthBytes) / block) * block;
    const out = new Uint8Array(size);
    out.set(message);
    out[message.length] = 0x80;
    new DataView(out.buffer).setBigUint64(size - 8, BigInt(message.length) * 8n);
    return new DataView(out.buffer);
  }

  function sha256(message) {
    const data = padded(message, 64, 8), h = H32.slice(), w = new Uint32Array(64);
    const rot = (x, n) => (x >>> n) | (x << (32 - n));
    for (let at = 0; at < data.byteLength; at += 64) {
      for (let t = 0; t < 16; t += 1) w[t] = data.getUint32(at + 4 * t);
      for (let t = 16; t < 64; t += 1) {
        const s0 = rot(w[t - 15], 7) ^ rot(w[t - 15], 18) ^ (w[t - 15] >>> 3);
        const s1 = rot(w[t - 2], 17) ^ rot(w[t - 2], 19) ^ (w[t - 2] >>> 10);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
      }
      let [a, b, c, d, e, f, g, i] = h;
      for (let t = 0; t < 64; t += 1) {
        const one = (i + (rot(e, 6) ^ rot(e, 11) ^ rot(e, 25)) + ((e & f) ^ (~e & g)) + K32[t] + w[t]) | 0;
        const two = ((rot(a, 2) ^ rot(a, 13) ^ rot(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        i = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
      }
      [a, b, c, d, e, f, g, i].forEach((value, n) => { h[n] = (h[n] + value) | 0; });
    }
    const out = new DataView(new ArrayBuffer(32));
    h.forEach((value, n) => out.setInt32(4 * n, value));
    return new Uint8Array(out.buffer);
  }

  function sha512(message) {
    const data = padded(message, 128, 16), h = H64.slice(), w = new Array(80), M = 0xffffffffffffffffn;
    const rot = (x, n) => (x >> n) | ((x << (64n - n)) & M);
    for (let at = 0; at < data.byteLength; at += 128) {
      for (let t = 0; t < 16; t += 1) w[t] = data.getBigUint64(at + 8 * t);
      for (let t = 16; t < 80; t += 1) {
        const s0 = rot(w[t - 15], 1n) ^ rot(w[t - 15], 8n) ^ (w[t - 15] >> 7n);
        const s1 = rot(w[t - 2], 19n) ^ rot(w[t - 2], 61n) ^ (w[t - 2] >> 6n);
        w[t] = (w[t - 16] + s0 + w[t - 7] + s1) & M;
      }
      let [a, b, c, d, e, f, g, i] = h;
      for (let t = 0; t < 80; t += 1) {
        const one = (i + (rot(e, 14n) ^ rot(e, 18n) ^ rot(e, 41n)) + ((e & f) ^ (~e & M & g)) + K64[t] + w[t]) & M;
        const two = ((rot(a, 28n) ^ rot(a, 34n) ^ rot(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c))) & M;
        i = g; g = f; f = e; e = (d + one) & M; d = c; c = b; b = a; a = (one + two) & M;
      }
      [a, b, c, d, e, f, g, i].forEach((value, n) => { h[n] = (h[n] + value) & M; });
    }
    const out = new DataView(new ArrayBuffer(64));
    h.forEach((value, n) => out.setBigUint64(8 * n, value));
    return new Uint8Array(out.buffer);
  }

  function hmac512(key, message) {
    const block = new Uint8Array(128);
    block.set(key.length > 128 ? sha512(key) : key);
    const join = (mask, rest) => {
      const out = new Uint8Array(128 + rest.length);
      out.set(block.map((byte) => byte ^ mask));
      out.set(rest, 128);
      return out;
    };
    return sha512(join(0x5c, sha512(join(0x36, message))));
  }

  const own = { sha256: async (data) => sha256(data), hmac512: async (key, data) => hmac512(key, data), name: "own" };
  const subtle = scope.crypto && scope.crypto.subtle;
  const native = subtle && {
    sha256: async (data) => new Uint8Array(await subtle.digest("SHA-256", data)),
    hmac512: async (key, data) => {
      const made = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
      return new Uint8Array(await subtle.sign("HMAC", made, data));
    },
    name: "webcrypto",
  };
  scope.Sha2 = { own, best: native || own, bytes, hex, unhex };
})(typeof window === "undefined" ? globalThis : window);
