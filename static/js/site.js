// Small things every page may use: settings of this device, copying the address, confirming before a form goes.
(function () {
  "use strict";
  const root = document.documentElement;

  function remember(name, value) {
    root.dataset[name] = value;
    try { localStorage.setItem("baohuang-" + name, value); } catch (error) { /* private mode */ }
  }

  document.querySelectorAll("[data-setting]").forEach((input) => {
    const name = input.dataset.setting;
    if (input.type === "checkbox") input.checked = root.dataset[name] === "1";
    else input.checked = (root.dataset[name] || (name === "direction" ? "counterclockwise" : "")) === input.value;
    input.addEventListener("change", () => {
      if (input.type === "checkbox") remember(name, input.checked ? "1" : "");
      else if (input.checked) remember(name, input.value);
    });
  });

  // what is saved in the account holds from then on, on this device too
  document.querySelector("form [name=four_color]")?.form.addEventListener("submit", () => {
    try { ["theme", "four", "direction"].forEach((name) => localStorage.removeItem("baohuang-" + name)); } catch (error) { /* nothing stored */ }
  });

  if (document.querySelector("[data-errors]")) document.querySelector("fieldset .error, .has-error")?.scrollIntoView({ block: "center" });

  async function copy(text) {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "sr";
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy-link]");
    if (!button) return;
    const words = button.querySelector("span") || button;
    const before = words.innerHTML;
    copy(location.origin + (button.dataset.copyLink || document.getElementById("table")?.dataset.url || location.pathname)).then(() => {
      words.textContent = root.lang === "en" ? "Copied" : "已复制";
      setTimeout(() => { words.innerHTML = before; }, 1600);
    });
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.once === undefined) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
    setTimeout(() => { delete form.dataset.sent; }, 4000);
  });
  window.addEventListener("pageshow", () => document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent));
})();
