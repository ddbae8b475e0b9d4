// Runs before the first paint: what this device chose wins over what the account says.
(function () {
  "use strict";
  var root = document.documentElement;
  try {
    ["theme", "four", "direction"].forEach(function (name) {
      var chosen = localStorage.getItem("baohuang-" + name);
      if (chosen !== null) root.dataset[name] = chosen;
    });
  } catch (error) { /* no storage: the account's choice stands */ }
  if (root.dataset.theme === "auto") root.dataset.theme = "";
})();
