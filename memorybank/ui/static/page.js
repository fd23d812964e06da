// Conveniences. Everything works without this file: forms are forms, tabs are links.
"use strict";

(function () {
  const login = document.getElementById("login");
  if (login) {
    const enter = function () {
      if (location.hash.length < 2) return;
      login.elements.token.value = location.hash.slice(1);
      history.replaceState(null, "", location.pathname); // keep the token out of the address bar and the history
      login.submit();
    };
    window.addEventListener("hashchange", enter); // the link was opened in a tab that already shows the login
    enter();
    return;
  }
  // A message is shown once: remove it from the address, so that reloading or sharing the address does not repeat it.
  if (/[?&]told=/.test(location.search)) {
    const fields = new URLSearchParams(location.search);
    fields.delete("told");
    fields.delete("detail");
    const rest = fields.toString();
    history.replaceState(null, "", location.pathname + (rest ? "?" + rest : ""));
  }
  // Leave empty fields out of the address.
  document.addEventListener("htmx:configRequest", function (event) {
    const fields = event.detail.formData;
    Array.from(fields.keys()).forEach(function (name) { if (fields.get(name) === "" && name !== "q") fields.delete(name); });
  });
  // Show a notice when the command that serves the page has ended, and hide it when the page answers again.
  ["sendError", "afterOnLoad"].forEach(function (name) {
    document.addEventListener("htmx:" + name, function () { document.getElementById("gone").hidden = name !== "sendError"; });
  });
  // A second click must not send a form again.
  document.addEventListener("submit", function (event) {
    if (event.target.method !== "post") return;
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "yes";
    event.target.setAttribute("aria-busy", "true");
  });
  window.addEventListener("pageshow", function () {
    document.querySelectorAll("form[data-sent]").forEach(function (form) { delete form.dataset.sent; form.removeAttribute("aria-busy"); });
  });

  let pending = false;
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const field = event.target.closest("input, select, textarea");
    if (field) {
      if (event.key === "Escape") field.blur();
      return;
    }
    if (pending && /^[1-9]$/.test(event.key)) {
      const tab = document.querySelectorAll("nav.tabs a")[Number(event.key) - 1];
      pending = false;
      if (tab) tab.click();
      return;
    }
    pending = event.key === "g";
    if (event.key === "/") {
      const search = document.querySelector("input[type=search]");
      if (search) { event.preventDefault(); search.focus(); search.select(); } else { document.querySelectorAll("nav.tabs a")[1].click(); }
    } else if (event.key === "n" || event.key === "p") {
      const page = document.querySelector(event.key === "n" ? ".pager a[rel=next]" : ".pager a[rel=prev]");
      if (page) page.click();
    } else if (event.key === "j" || event.key === "k") {
      const links = Array.from(document.querySelectorAll("a.go, .cards tbody a"));
      if (!links.length) return;
      const at = links.indexOf(document.activeElement);
      const next = event.key === "j" ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0);
      links[next].focus();
      links[next].scrollIntoView({ block: "nearest" });
    }
  });
})();
