// Stepping through a finished hand: buttons, keys, the slider, a press on a seat or on a line of the log. The server draws
// every moment; here it is only said which one is wanted. Without scripts every button is a link.
(function () {
  "use strict";
  const page = document.getElementById("replay");
  const $ = (id) => document.getElementById(id);
  const slider = document.querySelector("#steps input[type=range]"), count = document.querySelector("#steps output");
  const run = $("go-run");
  const SLOW = 1900, QUICK = 900;  // a play is looked at longer than a pass
  const shown = () => $("told").dataset;
  const last = Number(shown().last);
  const now = () => ({ at: Number(shown().at), seat: Number(shown().seat), open: shown().open });
  let wanted = now(), busy = false, timer = null;

  const address = (to) => page.dataset.url + "?at=" + to.at + "&seat=" + to.seat + (to.open ? "&open=1" : "");
  const same = (a, b) => a.at === b.at && a.seat === b.seat && a.open === b.open;

  // One request at a time, always for what is wanted now: whoever presses fast skips moments and waits for none.
  function go(change) {
    wanted = Object.assign({}, wanted, change);
    wanted.at = Math.max(0, Math.min(last, wanted.at));
    ask();
  }
  function ask() {
    if (busy || same(wanted, now())) return;
    busy = true;
    htmx.ajax("GET", address(wanted), { target: "#below", swap: "none" }).then(arrived, arrived);
  }
  document.addEventListener("htmx:responseError", () => { wanted = now(); stop(); });
  document.addEventListener("htmx:sendError", () => { wanted = now(); stop(); });

  function arrived() {
    busy = false;
    show();
    ask();
    if (timer) { clearTimeout(timer); timer = setTimeout(tick, shown().slow ? SLOW : QUICK); }
  }

  function show() {
    const is = now();
    page.dataset.me = is.seat;
    page.classList.toggle("opened", Boolean(is.open));
    if (!slider.matches(":active")) slider.value = is.at;
    count.textContent = is.at + "/" + last;
    const ways = {
      before: { at: Number(shown().before) }, back: { at: is.at - 1 }, on: { at: is.at + 1 }, after: { at: Number(shown().after) },
      open: { open: is.open ? "" : "1" }, seat: { seat: (is.seat + 1) % 5 },
    };
    document.querySelectorAll("[data-go]").forEach((way) => {
      const to = ways[way.dataset.go];
      way.href = address(Object.assign({}, is, to));
      const end = "at" in to && Math.max(0, Math.min(last, to.at)) === is.at;
      if (end) way.setAttribute("aria-disabled", "true"); else way.removeAttribute("aria-disabled");
    });
    line();
    if (is.open) document.querySelector("#board .asked, #board .lying")?.scrollIntoView({ block: "nearest" });
    $("say").textContent = $("told").textContent;
    history.replaceState(null, "", address(is));
  }

  // The last line that is told at this moment.
  function line() {
    const at = now().at;
    let here = null;
    document.querySelectorAll("#log [data-at]").forEach((li) => {
      li.removeAttribute("aria-current");
      li.classList.toggle("later", Number(li.dataset.at) > at);
      if (Number(li.dataset.at) <= at) here = li;
    });
    if (!here || !at) { $("panel-log").scrollTop = 0; return; }
    here.setAttribute("aria-current", "step");
    const panel = $("panel-log");
    panel.scrollTop = here.offsetTop - panel.offsetTop - panel.clientHeight / 2;
  }
  document.addEventListener("panel:open", () => { if (document.querySelector(".side.open")) stop(); line(); });

  function step(name) {
    if (name === "back") go({ at: wanted.at - 1 });
    else if (name === "on") go({ at: wanted.at + 1 });
    else if (name === "before" || name === "after") { if (!busy) go({ at: Number(shown()[name]) }); }
    else if (name === "open") go({ open: wanted.open ? "" : "1" });
    else if (name === "seat") go({ seat: (wanted.seat + 1) % 5 });
  }

  function stop() { clearTimeout(timer); timer = null; run.classList.remove("runs"); }
  function tick() {
    if (wanted.at >= last) { stop(); return; }
    go({ at: wanted.at + 1 });
  }
  run.hidden = false;
  run.addEventListener("click", () => {
    if (timer) { stop(); return; }
    run.classList.add("runs");
    timer = setTimeout(tick, 0);
    if (wanted.at >= last) go({ at: 0 });
  });

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const way = event.target.closest("[data-go]"), told = event.target.closest("#log [data-at]"), seat = event.target.closest("#board [data-seat]");
    if (way) { event.preventDefault(); stop(); step(way.dataset.go); }
    else if (told) { event.preventDefault(); stop(); document.querySelector(".side.open [data-close-panel]")?.click(); go({ at: Number(told.dataset.at) }); }
    else if (seat) go({ seat: Number(seat.dataset.seat) });
  });
  slider.addEventListener("input", () => { stop(); count.textContent = slider.value + "/" + last; go({ at: Number(slider.value) }); });
  $("steps").addEventListener("submit", (event) => { event.preventDefault(); });

  const KEYS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "before", ArrowDown: "after", PageUp: "before", PageDown: "after" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
    const panel = event.target.closest(".side") && /Arrow(Up|Down)|Page/.test(event.key);
    if (KEYS[event.key] && !panel) { event.preventDefault(); stop(); step(KEYS[event.key]); }
    else if (event.key === "Home") { stop(); go({ at: 0 }); }
    else if (event.key === "End") { stop(); go({ at: last }); }
    else if (event.key === " " && !event.target.closest("a, button, input")) { event.preventDefault(); run.click(); }
  });

  document.documentElement.classList.add("scripted");
  show();
})();
