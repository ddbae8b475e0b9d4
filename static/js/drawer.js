// The drawer at the side: panels behind tabs, over the table on a phone, beside it where there is room. What a panel needs
// when it opens, its page does on "panel:open".
(function () {
  "use strict";
  const side = document.querySelector(".side");
  if (!side) return;
  let opener = null;

  function show(name) {
    document.querySelectorAll(".panel").forEach((panel) => { panel.hidden = panel.id !== "panel-" + name; });
    side.querySelectorAll('[role="tab"]').forEach((tab) => tab.setAttribute("aria-selected", String(tab.dataset.panel === name)));
    document.dispatchEvent(new CustomEvent("panel:open", { detail: name }));
  }
  function shut() {
    side.classList.remove("open");
    if (opener) opener.focus({ preventScroll: true });
    opener = null;
  }

  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-panel]");
    if (tab) {
      if (!side.contains(tab)) { opener = tab; side.classList.add("open"); }
      show(tab.dataset.panel);
    } else if (event.target.closest("[data-close-panel]")) shut();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && side.classList.contains("open")) shut(); });
  // what a heading at the lower edge of the panel opens is brought into sight ("toggle" does not bubble)
  side.addEventListener("toggle", (event) => { if (event.target.open) event.target.scrollIntoView({ block: "nearest" }); }, true);
})();
