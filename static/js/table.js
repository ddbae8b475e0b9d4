// The table page: the socket and what happens without it, the clocks. Html comes from the server; here it is
// only put in motion.
(function () {
  "use strict";
  const table = document.getElementById("table");
  if (!table) return;
  const EN = document.documentElement.lang === "en";
  const $ = (id) => document.getElementById(id);
  const url = table.dataset.url;
  const seated = table.dataset.seated === "1";
  const title = document.title;

  // --- the server's clock ------------------------------------------------------------------------------------------
  const arrived = performance.getEntriesByType("navigation")[0];
  const offset = Number(table.dataset.now) - (performance.timeOrigin + (arrived ? arrived.responseStart : 0));
  const serverNow = () => Date.now() + offset;

  function rings() {
    document.querySelectorAll("svg.ring:not(.runs)").forEach((ring) => {
      const whole = Number(ring.dataset.seconds), due = Number(ring.dataset.deadline);
      if (!whole || !due) return;
      const circle = ring.querySelector("circle");
      circle.style.animationDuration = whole + "s";
      circle.style.animationDelay = -Math.max(0, Math.min(whole, whole - (due - serverNow()) / 1000)) + "s";
      ring.classList.add("runs");
    });
  }

  function countdowns() {
    document.querySelectorAll(".countdown").forEach((span) => {
      const due = Number(span.closest("[data-deadline]")?.dataset.deadline || 0);
      const left = Math.ceil((due - serverNow()) / 1000);
      span.textContent = due && left > 0 ? " " + left + (EN ? " s" : "秒") : "";
    });
  }
  setInterval(countdowns, 500);

  // --- the socket, and life without it -----------------------------------------------------------------------------
  let socket = null, current = null, open = false, poll = null, mark = null, watch = null, lastSent = null;
  htmx.config.wsReconnectDelay = (tries) => Math.min(4000, 250 * 2 ** tries) * (0.5 + Math.random() / 2);

  // `socket` is the extension's, which may be making a new one; `current` the one that opened last
  const up = () => open && current && current.readyState === 1;
  const send = (message) => { if (up()) current.send(JSON.stringify(message)); };
  const fetchAll = () => htmx.ajax("GET", url + "fragments", { target: "#notice", swap: "none" }).catch(() => {});

  function lineUp(event) {
    socket = event.detail.socketWrapper || socket;
    current = event.detail.event.target;
    open = true;
    clearTimeout(mark);
    clearInterval(poll);
    poll = null;
    $("line").hidden = true;
  }

  function lineDown() {
    open = false;
    clearTimeout(mark);
    mark = setTimeout(() => { $("line").hidden = false; }, 700);
    if (!poll) poll = setInterval(() => { if (!document.hidden) fetchAll(); }, 2000);
  }

  table.addEventListener("htmx:wsOpen", lineUp);
  table.addEventListener("htmx:wsClose", (event) => {
    if (open && current && event.detail.event.target !== current) return;  // an older one, which was given up
    lineDown();
    const code = event.detail.event && event.detail.event.code;
    if (code === 4404 && !leaving) { setTimeout(() => location.reload(), 300); return; }  // it is not for him any more
    // the extension comes back by itself after these; after any other end it would not. 4404: there is nothing to see
    if (![1006, 1011, 1012, 1013, 4404].includes(code)) setTimeout(() => { if (!open && socket) socket.reconnect(); }, 1200);
  });
  const wake = () => { if (!document.hidden && !open) { fetchAll(); if (socket) socket.reconnect(); } };
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  setTimeout(() => { if (!open) lineDown(); }, 3000);

  // Html that came by HTTP was rendered at some moment and may lie over a newer one of the socket: ask for everything.
  document.addEventListener("htmx:afterRequest", (event) => {
    const request = event.detail.requestConfig;
    if (open && request && request.path.startsWith(url)) send({ do: "refresh" });
  });

  function newId() {
    if (crypto.randomUUID) return crypto.randomUUID();
    return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  // The way out is a plain form; what the socket shows meanwhile must not turn the page back to the table.
  let leaving = false;
  document.addEventListener("submit", (event) => { if (event.target.id === "leave-form") leaving = true; });
  window.addEventListener("pageshow", () => { leaving = false; });

  // A form with data-do goes over the socket while there is one, else as it would without: by POST.
  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.elt.dataset.do === "act") event.detail.parameters.id = newId();
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.detail.elt, what = form.dataset && form.dataset.do;
    if (!what || what === "bots") return;
    const data = event.detail.requestConfig.formData || new FormData(form);
    const message = { do: what };
    ["prompt", "id", "action", "on"].forEach((name) => { if (data.has(name)) message[name] = data.get(name); });
    if (message.action === "play") message.card = data.getAll("card");
    if (what === "act") { hush(message.action); clearTimeout(asking); }  // what was ticked is answered by the play itself
    if (!up()) return;
    event.preventDefault();
    lastSent = { path: event.detail.requestConfig.path, values: message };
    send(message);
    clearTimeout(watch);
    watch = setTimeout(again, 2500);
  });

  // Nothing came back: the line may be dead without knowing it. The same id makes a second delivery harmless.
  function again() {
    if (!lastSent) return;
    htmx.ajax("POST", lastSent.path, { values: lastSent.values, target: "#notice", swap: "none" }).catch(() => {});
    lastSent = null;
  }

  function hush(action) {
    document.querySelectorAll("#prompt.asked .btn").forEach((button) => {
      if (button.value !== action) button.setAttribute("aria-disabled", "true");
    });
  }

  function speakUp() {
    document.querySelectorAll("#prompt.asked .btn[aria-disabled]").forEach((button) => button.removeAttribute("aria-disabled"));
  }

  let asking = null;
  Hand.onChange((cards) => {
    clearTimeout(asking);
    if (document.querySelector('#prompt[data-kind="play"]')) asking = setTimeout(() => send({ do: "select", card: cards }), 70);
  });

  // --- after new html ----------------------------------------------------------------------------------------------
  const raw = new Map();       // html as the server sent it, to leave alone what did not change
  const ids = ["bar", "pile", "prompt", "hand", "banner", "counter", "fair", "result", "log",
    ...[0, 1, 2, 3, 4].flatMap((seat) => ["seat-" + seat, "now-" + seat])];
  ids.forEach((id) => { if ($(id)) raw.set(id, $(id).outerHTML); });
  let focus = null, shownBanner = $("banner") ? $("banner").dataset.at : "", wasAsked = "";

  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const more = { log: moreLog, chat: moreChat }[event.detail.fragment && event.detail.fragment.id];
    if (more) { more(event); return; }
    const fresh = event.detail.fragment && event.detail.fragment.firstElementChild;
    if (fresh && fresh.id.startsWith("n-")) raw.delete("counter");  // a cell of it
    if (fresh && fresh.id === "held") raw.delete("hand");  // some of its stacks come with it
    if (!fresh || !ids.includes(fresh.id)) return;
    const html = fresh.outerHTML;
    // a seat, and what it does now, lie one in the other
    const seat = /^(seat|now)-(\d)$/.exec(fresh.id);
    if (seat) raw.delete((seat[1] === "now" ? "seat-" : "now-") + seat[2]);
    // the same question, such as after a refusal or a new socket, stays under the finger that is just pressing it
    if (raw.get(fresh.id) === html) { event.detail.shouldSwap = false; if (fresh.id === "prompt") speakUp(); return; }
    raw.set(fresh.id, html);
    const active = document.activeElement;
    if (active && event.detail.target.contains(active)) focus = active.dataset.focus || active.value || null;
  });

  // New lines go on where the log ends. What came by HTTP meanwhile may have brought them already, or have fewer.
  function moreLog(event) {
    const log = event.detail.target, more = event.detail.fragment;
    if (log.dataset.lines === more.dataset.from) { log.dataset.lines = more.dataset.lines; return; }
    event.detail.shouldSwap = false;
    send({ do: "refresh" });
  }
  function moreChat(event) {
    const here = (line) => event.detail.target.querySelector(`[data-line="${CSS.escape(line.dataset.line)}"]`);
    [...event.detail.fragment.children].filter(here).forEach((line) => line.remove());
  }

  function settle() {
    // seated or gone in another tab: the whole page turns with the seat
    const fair = $("fair");
    if (fair && !leaving && fair.dataset.viewer !== (seated ? table.dataset.me : "")) { location.reload(); return; }
    if (lastSent) { clearTimeout(watch); lastSent = null; }
    rings();
    countdowns();
    Hand.refresh();
    banner();
    collect();
    asked();
    result();
    speak();
    const log = $("log"), panel = log && log.closest(".panel");
    if (panel) panel.scrollTop = panel.scrollHeight;
    if (focus) {
      const twin = document.querySelector(`#prompt [data-focus="${CSS.escape(focus)}"]`);
      if (twin && document.activeElement === document.body) twin.focus({ preventScroll: true });
      focus = null;
    }
    document.dispatchEvent(new CustomEvent("table:shown"));
  }
  // a verdict that comes when the question is gone has nowhere to go
  table.addEventListener("htmx:wsBeforeMessage", (event) => {
    if (/^<p [^>]*id="verdict"/.test(event.detail.message) && !$("verdict")) event.preventDefault();
  });
  table.addEventListener("htmx:wsAfterMessage", settle);
  document.addEventListener("htmx:afterRequest", () => setTimeout(settle, 0));

  function banner() {
    const line = $("banner");
    if (!line || line.dataset.at === shownBanner) return;
    shownBanner = line.dataset.at;
    if (line.textContent) line.classList.add("show");
  }

  // The cards of a trick that ended go to whoever won it.
  function collect() {
    const past = document.querySelector("#pile .past:not(.gone)");
    if (!past) return;
    past.classList.add("gone");
    const seat = $("seat-" + past.dataset.owner);
    if (!seat || !past.animate) return;
    const from = past.getBoundingClientRect(), to = seat.getBoundingClientRect();
    const x = to.left + to.width / 2 - from.left - from.width / 2, y = to.top + 24 - from.top - from.height / 2;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    past.animate(
      [{ opacity: 0.55 }, { opacity: 0, transform: still ? "none" : `translate(${x}px, ${y}px) scale(.3)` }],
      { delay: 1200, duration: 240, easing: "ease-in", fill: "forwards" },
    );
  }

  function asked() {
    const prompt = document.querySelector("#prompt.asked");
    const key = prompt ? prompt.dataset.prompt : "";
    document.title = prompt ? (EN ? "Your turn · " : "轮到你 · ") + title : title;
    if (key && key !== wasAsked && document.hidden && navigator.vibrate) navigator.vibrate(60);
    wasAsked = key;
  }

  let spoken = "";
  function speak() {
    const prompt = $("prompt"), pile = $("pile");
    const words = [pile && pile.dataset.say, prompt && (prompt.dataset.question || prompt.querySelector(".question")?.textContent)].filter(Boolean).join(EN ? ". " : "。");
    if (words && words !== spoken) { spoken = words; $("say").textContent = words; }
  }

  // --- the sheet at the end ------------------------------------------------------------------------------------------
  let putAway = "";
  function result() {
    const sheet = $("result");
    if (!sheet || sheet.hidden) return;
    sheet.classList.toggle("away", sheet.dataset.hand === putAway);
  }

  // --- what is pressed ----------------------------------------------------------------------------------------------
  document.addEventListener("panel:open", (event) => {
    const name = event.detail;
    if (name === "rules" || name === "invite") htmx.trigger("#" + name + "-text", "open-" + name);
    const log = $("panel-log");
    if (name === "log" && log) log.scrollTop = log.scrollHeight;
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close-result]")) { putAway = $("result").dataset.hand; result(); }
    if (event.target.closest("[data-open-result]")) { putAway = ""; result(); }
  });

  settle();
})();
