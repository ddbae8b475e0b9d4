// The lobby's new rows find their place; at a table the chat keeps to its end and marks quietly what was not read.
(function () {
  "use strict";
  const list = () => document.getElementById("lobby-list");

  // a row that is not there yet has no place to go to: it comes in front
  document.addEventListener("htmx:oobErrorNoTarget", (event) => {
    const fresh = event.detail.content;
    if (!fresh || !list() || !/^lobby-/.test(fresh.id || "")) return;
    if (fresh.getAttribute("hx-swap-oob") === "delete") return;
    fresh.removeAttribute("hx-swap-oob");
    list().prepend(fresh);
  });

  const panel = document.getElementById("panel-chat");
  if (!panel) return;
  const openers = document.querySelectorAll(".chat-open, .chat-tab");
  const lines = () => document.querySelectorAll("#chat li[data-line]");
  const last = () => { const all = lines(); return all.length ? Number(all[all.length - 1].dataset.line) : 0; };
  const seen = () => !panel.hidden && panel.offsetParent !== null;
  let read = last();

  function look() {
    const all = [...lines()];
    const news = all.some((line) => Number(line.dataset.line) > read && !line.classList.contains("by-me"));
    if (seen()) {
      read = Math.max(read, last());
      const chat = document.getElementById("chat");
      chat.scrollTop = chat.scrollHeight;
    }
    openers.forEach((button) => button.classList.toggle("unread", news && !seen()));
  }

  document.addEventListener("table:shown", look);
  document.addEventListener("click", (event) => {
    if (event.target.closest('[data-panel="chat"]')) setTimeout(look, 0);
  });
  // what was sent is gone from the field; what was refused stays
  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    if (!form.matches || !form.matches(".chat-form.say") || !event.detail.successful) return;
    if (/data-code="/.test(event.detail.xhr.responseText)) return;
    const field = form.querySelector("input[name=text]");
    field.value = "";
    field.focus({ preventScroll: true });
  });
  look();
})();
