// What a person sees of a table at one moment, and whether it may look like that. Put into every page by the tests.
(function () {
  "use strict";
  const $ = (selector) => document.querySelector(selector);
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const text = (selector) => ($(selector)?.textContent || "").trim();
  const shown = (element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });

  function meets(element, x, y) {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
    const hit = document.elementFromPoint(x, y);
    return Boolean(hit && (hit === element || element.contains(hit) || hit.closest("label, button") === element));
  }

  // A point at which pressing would reach this element: its middle, else the first of a grid that is not covered.
  function pointIn(element) {
    const box = element.getBoundingClientRect();
    const parts = [0.5, 0.25, 0.75, 0.1, 0.9];
    for (const v of parts) {
      for (const u of parts) {
        const x = box.left + box.width * u, y = box.top + box.height * v;
        if (meets(element, x, y)) return [x, y];
      }
    }
    return null;
  }

  window.pointOf = (selector) => {
    for (const element of all(selector)) {
      const point = pointIn(element);
      if (point) return point;
    }
    return null;
  };

  // What of the table lies under these.
  window.covered = (selector) => {
    const box = (element) => { const range = document.createRange(); range.selectNodeContents(element);
      return element.matches("svg, .medal, .card, .mini, .said, .btn") ? element.getBoundingClientRect() : range.getBoundingClientRect(); };
    const over = [...document.querySelectorAll(selector)].map(box).filter((one) => one.width);
    const parts = "#bar > *, .bar .icon, .seat .medal, .seat .name, .seat .role, .seat .left b, .seat .mini, .seat .said,"
      + " #pile .card, #pile .from, #pile .lies, #prompt .question, #prompt .btn, #hand .card";
    return [...document.querySelectorAll(parts)]
      .filter((part) => !part.matches(selector) && part.checkVisibility({ checkVisibilityCSS: true }))
      .filter((part) => { const a = box(part); return over.some((b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1); })
      .map((part) => `${part.className.baseVal ?? part.className} ${part.textContent}`);
  };

  // For every such group of cards its ranks that can be seen, and whether nothing lies over their figures.
  window.ranksIn = (group) => {
    // where a figure's glyphs are drawn, and whether anything lies over them
    const hidden = (element) => {
      const range = document.createRange(); range.selectNodeContents(element);
      const box = range.getBoundingClientRect(), rise = box.height * .22;
      const points = [.15, .5, .85].flatMap((u) => [0, .5, 1].map((v) => [box.left + box.width * u, box.top + rise + (box.height - 2 * rise) * v]));
      const own = element.closest(".mini, .card");
      return !points.every(([x, y]) => { const hit = document.elementFromPoint(x, y); return hit && (own === hit || own.contains(hit)); });
    };
    return [...document.querySelectorAll(group)].map((one) => [...one.querySelectorAll("b")]
      .filter((b) => b.checkVisibility({ visibilityProperty: true })).map((b) => [b.textContent, !hidden(b)]));
  };

  const cut = (element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2;
  const outside = (box) => box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;

  function faults() {
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push(`page is ${root.scrollWidth} wide in ${innerWidth}`);
    if ($("#table")) {
      if (root.scrollHeight > innerHeight) found.push(`page is ${root.scrollHeight} high in ${innerHeight}`);
      if (scrollX || scrollY || document.body.scrollTop) found.push("page is scrolled");
      const many = $("#prompt.many");
      for (const element of all("#prompt .question, #prompt .price, #prompt .label, #prompt .btn, #pile .lies, #pile .from, .seat .name, .seat .role, #bar b")) {
        if (shown(element) && cut(element)) found.push(`cut off: ${element.textContent.trim()} (${element.className})`);
      }
      if ($("#verdict.bad") && !$("#hand input:checked")) found.push(`words about cards that are not ticked: ${text("#verdict")}`);
      for (const button of all("#prompt .btn")) {
        const box = button.getBoundingClientRect();
        if (box.height < 40 || box.width < 44) found.push(`small button: ${button.textContent.trim()} ${Math.round(box.width)}×${Math.round(box.height)}`);
        if (!many && outside(box)) found.push(`button outside: ${button.textContent.trim()}`);
      }
      for (const card of all("#hand .card .face, #pile .cards .card, .seat")) {
        if (shown(card) && outside(card.getBoundingClientRect())) found.push(`outside: ${card.outerHTML.slice(0, 80)}`);
      }
    }
    return found;
  }

  // Nothing on the page has changed since the last glance: it would see the same again.
  let changed = true, last = null;
  new MutationObserver(() => { changed = true; }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });

  window.look = () => {
    if (!changed && last) return last;
    changed = false;
    last = glance();
    return last;
  };

  function glance() {
    const prompt = $("#prompt"), result = $("#result"), play = $("#prompt .play");
    return {
      kind: prompt ? prompt.dataset.kind : "",
      prompt: (prompt && prompt.dataset.prompt) || "",
      question: text("#prompt .question"),
      note: text("#prompt .note"),
      verdict: text("#verdict"),
      notice: text("#notice"),
      step: prompt ? (/step-(\w+)/.exec(prompt.className) || [])[1] || "" : "",
      hint: ((prompt && prompt.dataset.hint) || "").split(" ").filter(Boolean),
      legal: ((prompt && prompt.dataset.legal) || "").split(" ").filter(Boolean),
      need: Number((prompt && prompt.dataset.need) || 0),
      deadline: Number((prompt && prompt.dataset.deadline) || 0),
      buttons: all("#prompt button").map((button) => ({ value: button.value, text: button.textContent.trim(), off: button.disabled })),
      playable: Boolean(play && play.matches("button:enabled")),
      hand: all("#hand .card").map((card) => card.dataset.card),
      picked: all("#hand input:checked").map((box) => box.value),
      pile: text("#pile .lies"),
      seats: [0, 1, 2, 3, 4].map((seat) => text(`#seat-${seat}`)),
      log: all("#log li").length,
      commit: $("#fair") ? $("#fair").dataset.commit : "",
      id: $("#fair") ? $("#fair").dataset.hand : "",
      line: Boolean($("#line") && !$("#line").hidden),
      result: Boolean(result && !result.hidden && !result.classList.contains("away")),
      title: document.title,
      faults: faults(),
    };
  }
})();
