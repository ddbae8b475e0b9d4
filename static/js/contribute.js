// This browser's share in the next shuffle: random bytes for the deal whose commitment is already shown. What was sent
// is kept here under that commitment, so that the check after the hand can compare it.
(function () {
  "use strict";
  const table = document.getElementById("table");
  if (!table) return;
  const key = (commit) => "baohuang-share-" + commit;
  const load = (commit) => { try { return localStorage.getItem(key(commit)); } catch (error) { return null; } };
  let sent = "";

  function store(commit, text) {
    try {
      const old = Object.keys(localStorage).filter((name) => name.startsWith("baohuang-share-"));
      if (old.length > 200) old.slice(0, old.length - 200).forEach((name) => localStorage.removeItem(name));
      localStorage.setItem(key(commit), text);
    } catch (error) { /* private mode: the deal is contributed to all the same */ }
  }

  function share(commit) {
    let mine = load(commit);
    if (!mine) {
      mine = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("");
      store(commit, mine);
    }
    return mine;
  }

  // A table just opened for one person and four bots: his share goes with his being ready, so the first deal has it.
  function begin() {
    if (location.hash !== "#begin") return;
    history.replaceState(history.state, "", location.pathname + location.search);
    const fair = document.getElementById("fair"), commit = fair && fair.dataset.next;
    if (!commit || !document.querySelector("#prompt[data-alone]")) return;
    sent = commit;
    table.classList.add("beginning");
    const values = { text: share(commit), commit };
    htmx.ajax("POST", table.dataset.url + "ready", { values, target: "#notice", swap: "none" })
      .catch(() => { sent = ""; })
      .finally(() => table.classList.remove("beginning"));
  }

  function show() {
    const fair = document.getElementById("fair");
    if (!fair) return;
    const { commit, next } = fair.dataset;
    const put = (name, text) => { const spot = document.querySelector(`[data-fair="${name}"]`); if (spot) spot.textContent = text || "—"; };
    put("commit", commit);
    put("next", next);
    if (!next || table.dataset.seated !== "1") return;
    const mine = share(next);
    put("mine", mine);
    if (sent === next) return;
    sent = next;
    const token = JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
    fetch(table.dataset.url + "contribute", {
      method: "POST", credentials: "same-origin",
      headers: { "X-CSRFToken": token, "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" },
      body: new URLSearchParams({ text: mine, commit: next }),
    }).catch(() => { sent = ""; });
  }
  document.addEventListener("table:shown", show);
  begin();
  show();
})();
