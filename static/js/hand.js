// The own hand: picking cards by stacks. Knows nothing of the rules: what may be played now is the list of shapes that
// the prompt carries; this file only turns ticked cards into such a text and looks it up.
window.Hand = (function () {
  "use strict";
  const EN = document.documentElement.lang === "en";
  const say = (zh, en) => (EN ? en : zh);
  const $ = (id) => document.getElementById(id);
  let picks = new Map();      // card token → how many of it are picked; survives every swap
  let number = 0;             // cards in the hand at the last look
  let hintAt = -1;
  let hintPrompt = "";
  let tell = () => {};        // told after every change of the selection
  let last = null;            // key of the stack last touched, for the arrow keys

  const stacks = () => Array.from(document.querySelectorAll("#hand .stack"));
  const boxes = (stack) => Array.from(stack.querySelectorAll("input"));
  const ticked = () => Array.from(document.querySelectorAll("#hand input:checked"));
  const stackOf = (key) => stacks().find((stack) => stack.dataset.key === key);
  const prompt = () => document.querySelector('#prompt[data-kind="play"]');
  const isJoker = (stack) => stack.dataset.key === "w" || stack.dataset.key === "W";
  const words = (list) => (list || "").split(" ").filter(Boolean);

  function remember() {
    picks = new Map();
    ticked().forEach((box) => {
      const id = box.value + (box.closest("[data-special]") ? "#" : "");
      picks.set(id, (picks.get(id) || 0) + 1);
    });
  }

  function restore() {
    const left = new Map(picks);
    const all = Array.from(document.querySelectorAll("#hand input")).reverse();
    all.forEach((box) => {
      const id = box.value + (box.closest("[data-special]") ? "#" : "");
      const n = left.get(id) || 0;
      box.checked = n > 0;
      if (n) left.set(id, n - 1);
    });
  }

  // The shape of the ticked cards as the server writes it, "" when they have none.
  function shape() {
    let special = "", big = 0, small = 0;
    const ranks = new Map();
    ticked().forEach((box) => {
      if (box.closest("[data-special]")) special = "#";
      else if (box.value[0] === "W") big += 1;
      else if (box.value[0] === "w") small += 1;
      else ranks.set(box.value[0], (ranks.get(box.value[0]) || 0) + 1);
    });
    if (prompt() && prompt().dataset.wild && ranks.size === 2 && ranks.has("2")) {
      const twos = ranks.get("2");
      ranks.delete("2");
      const rank = ranks.keys().next().value;
      ranks.set(rank, ranks.get(rank) + twos);
    }
    if (ranks.size > 1) return "";
    const plain = ranks.size ? ranks.keys().next().value.repeat(ranks.values().next().value) : "";
    return special + "W".repeat(big) + "w".repeat(small) + plain;
  }

  function shapeWords(text) {
    const big = (text.match(/W/g) || []).length, small = (text.match(/w/g) || []).length;
    const plain = text.replace(/[#Ww]/g, "");
    const jokers = [];
    if (text[0] === "#") jokers.push(say("特画", "special"));
    if (big) jokers.push(say(big + "大王", big + " big joker"));
    if (small) jokers.push(say(small + "小王", small + " small joker"));
    const rank = plain[0] === "T" ? "10" : plain[0];
    if (!plain) return jokers.join(say("、", ", "));
    const set = plain.length === 1 && !jokers.length ? say("单张" + rank, "single " + rank) : say(plain.length + "个" + rank, plain.length + " × " + rank);
    return jokers.length ? set + say("带", " with ") + jokers.join(say("", ", ")) : set;
  }

  function legal() {
    const p = prompt();
    const text = shape();
    return Boolean(p && text && words(p.dataset.legal).includes(text));
  }

  // Marks on the stacks, the words above the buttons, the state of 出牌.
  function show() {
    stacks().forEach((stack) => {
      const all = boxes(stack), held = all.filter((box) => box.checked).length;
      stack.classList.toggle("held", held > 0);
      stack.querySelector(".count").textContent = held ? held + "/" + all.length : String(all.length);
      all.forEach((box, i) => { box.tabIndex = i === all.length - 1 ? 0 : -1; });
    });
    const p = prompt();
    if (!p) return;
    const button = p.querySelector(".play");
    const verdict = $("verdict");
    const ok = legal();
    if (button) button.disabled = !ok;
    if (!verdict || !button) return;
    const text = shape();
    const n = ticked().length;
    const leading = p.dataset.need === "0";
    verdict.className = "verdict " + (!n ? "idle" : ok ? "good" : "bad");
    if (!n) verdict.textContent = say("点选要出的牌", "Pick the cards to play");
    else if (ok) verdict.textContent = shapeWords(text) + (leading ? say("，可以出", ": can be led") : say("，压得住", ": beats it"));
    else verdict.textContent = text ? shapeWords(text) + say("：现在不能出", ": not possible now") : say("这些牌不能一起出：只能是同一点数，可以带王。", "These cards cannot be played together.");
  }

  function changed() {
    remember();
    show();
    tell(ticked().map((box) => box.value));
  }

  function lower(stack) { boxes(stack).forEach((box) => { box.checked = false; }); }

  // Tick n cards of a stack: `first` if given, then from the front (unmarked cards lie in front).
  function take(stack, n, first) {
    const order = boxes(stack).reverse();
    if (first) order.splice(order.indexOf(first), 1), order.unshift(first);
    order.forEach((box, i) => { box.checked = i < n; });
  }

  // A play has cards of one rank: lifting another rank lowers the one before; jokers stay.
  function lowerOthers(stack) {
    const wild = prompt() && prompt().dataset.wild;
    stacks().forEach((other) => {
      if (other === stack || isJoker(other) || other.dataset.key === "#") return;
      if (wild && (other.dataset.key === "2" || stack.dataset.key === "2")) return;
      lower(other);
    });
  }

  function need() {
    const p = prompt();
    return p ? Number(p.dataset.need) : 0;
  }

  function tap(stack, box) {
    const all = boxes(stack), held = all.filter((b) => b.checked).length;
    last = stack.dataset.key;
    closePicker();
    if (isJoker(stack)) {
      if (held === all.length) lower(stack);
      else take(stack, held + 1, box && !box.checked && held === 0 ? box : null);
    } else if (held && (!box || box.checked)) {
      lower(stack);
    } else if (held) {
      box.checked = true;
    } else {
      if (stack.dataset.key !== "#") lowerOthers(stack);
      take(stack, need() ? Math.min(need(), all.length) : all.length, box);
      if (!need() && all.length > 1) openPicker(stack);
    }
    changed();
  }

  // --- the small stepper: how many of this rank, or exactly which -----------------------------------------------
  function openPicker(stack) {
    const picker = $("picker");
    if (!picker) return;
    picker.replaceChildren();
    const all = boxes(stack);
    const counts = document.createElement("div");
    counts.className = "row";
    const name = document.createElement("span");
    name.textContent = say("几张", "count");
    counts.append(name);
    for (let n = 1; n <= all.length; n += 1) counts.append(choice(String(n), () => { take(stack, n); changed(); fill(); }));
    picker.append(counts);
    const suits = document.createElement("div");
    if (!isJoker(stack)) {
      suits.className = "row";
      const label = document.createElement("span");
      label.textContent = say("哪张", "which");
      suits.append(label);
      all.forEach((box) => {
        const button = choice("", () => { box.checked = !box.checked; changed(); fill(); });
        button.className = "suit " + ({ S: "s", H: "h", C: "c", D: "d" })[box.value[1]];
        button.setAttribute("aria-label", box.getAttribute("aria-label"));
        button.append(box.closest(".card").querySelector(".pip").cloneNode(true));
        suits.append(button);
      });
      picker.append(suits);
    }
    function fill() {
      const held = all.filter((box) => box.checked).length;
      counts.querySelectorAll("button").forEach((button, i) => button.setAttribute("aria-pressed", String(i + 1 === held)));
      suits.querySelectorAll("button").forEach((button, i) => button.setAttribute("aria-pressed", String(all[i].checked)));
    }
    fill();
    picker.dataset.key = stack.dataset.key;
    picker.hidden = false;
  }

  function choice(text, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", act);
    return button;
  }

  function closePicker() {
    const picker = $("picker");
    if (picker) picker.hidden = true;
  }

  // --- the hint: the legal shapes in the order in which the server offers them -----------------------------------
  function pickShape(text) {
    stacks().forEach(lower);
    if (text[0] === "#" && stackOf("#")) take(stackOf("#"), 1);
    ["W", "w"].forEach((joker) => {
      const n = text.split(joker).length - 1;
      if (n && stackOf(joker)) take(stackOf(joker), n);
    });
    const plain = text.replace(/[#Ww]/g, "");
    if (plain) {
      const own = stackOf(plain[0]), have = own ? Math.min(boxes(own).length, plain.length) : 0;
      if (own) take(own, have);
      if (have < plain.length && stackOf("2")) take(stackOf("2"), plain.length - have);
    }
    changed();
  }

  function hint() {
    const p = prompt();
    if (!p) return;
    if (hintPrompt !== p.dataset.prompt) { hintPrompt = p.dataset.prompt; hintAt = -1; }
    const list = Array.from(new Set([...words(p.dataset.hint), ...words(p.dataset.legal)]));
    if (!list.length) return;
    hintAt = (hintAt + 1) % list.length;
    closePicker();
    pickShape(list[hintAt]);
  }

  function step(by) {
    const stack = stackOf(last);
    if (!stack) return;
    const all = boxes(stack), held = all.filter((box) => box.checked).length;
    if (by > 0 && !held && !isJoker(stack)) lowerOthers(stack);
    take(stack, Math.max(0, Math.min(all.length, held + by)));
    changed();
  }

  function move(by) {
    const list = stacks();
    const at = list.findIndex((stack) => stack.dataset.key === last);
    const next = list[Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + by))];
    if (!next) return;
    last = next.dataset.key;
    boxes(next).at(-1).focus();
  }

  function refresh() {
    const held = $("held");
    const now = held ? Number(held.dataset.number) : 0;
    if (now < number) { picks = new Map(); closePicker(); }
    number = now;
    restore();
    const picker = $("picker");
    if (picker && !picker.hidden) {
      const stack = stackOf(picker.dataset.key);
      if (stack && prompt()) openPicker(stack); else closePicker();
    }
    show();
  }

  // --- touch, mouse, keyboard --------------------------------------------------------------------------------------
  let press = null, pressed = false;
  document.addEventListener("pointerdown", (event) => {
    const stack = event.target.closest("#hand .stack");
    pressed = false;
    clearTimeout(press);
    if (stack) press = setTimeout(() => { pressed = true; last = stack.dataset.key; openPicker(stack); }, 420);
  });
  ["pointerup", "pointercancel", "pointerleave"].forEach((name) => document.addEventListener(name, () => clearTimeout(press)));
  document.addEventListener("contextmenu", (event) => {
    const stack = event.target.closest("#hand .stack");
    if (stack) { event.preventDefault(); openPicker(stack); }
  });
  document.addEventListener("click", (event) => {
    const label = event.target.closest("#hand .card");
    if (label && event.target.tagName !== "INPUT") {
      event.preventDefault();
      if (pressed) { pressed = false; return; }
      tap(label.closest(".stack"), label.querySelector("input"));
      return;
    }
    if (event.target.closest("[data-hint-button]")) { hint(); return; }
    if (!event.target.closest("#picker, #hand")) closePicker();
  });
  document.addEventListener("change", (event) => { if (event.target.closest("#hand")) changed(); });

  const RANK_KEYS = { "1": "T", "0": "T", t: "T", j: "J", q: "Q", k: "K", a: "A", x: "w", d: "W", s: "#" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !$("hand")) return;
    if (event.target.matches("textarea, select, input:not([type=checkbox]):not([type=radio])")) return;
    if (document.querySelector(".side.open")) return;
    const key = event.key.toLowerCase();
    const asked = document.querySelector("#prompt.asked");
    const moves = { arrowup: () => step(1), arrowdown: () => step(-1), arrowleft: () => move(-1), arrowright: () => move(1), escape: () => { stacks().forEach(lower); closePicker(); changed(); } };
    if (moves[key]) { event.preventDefault(); moves[key](); return; }
    const button = Array.from(document.querySelectorAll("#prompt [data-key], #result:not(.away) [data-key]")).find((b) => b.dataset.key.toLowerCase() === key && b.offsetParent !== null);
    if (button && !(key === "enter" && event.target.closest("a, button, summary"))) {
      if (asked && asked.dataset.kind === "play" || button.dataset.key.length > 1 || asked && asked.dataset.kind === "ask") {
        event.preventDefault();
        if (!button.disabled) button.click();
        return;
      }
    }
    const rank = RANK_KEYS[key] || (/^[2-9]$/.test(key) ? key : null);
    const stack = rank && stackOf(rank);
    if (stack && !(asked && asked.dataset.kind === "ask")) { event.preventDefault(); tap(stack, null); }
  });

  return { refresh, hint, selected: () => ticked().map((box) => box.value), onChange: (fn) => { tell = fn; }, pickShape };
})();
