// What a page does while somebody watches. Everything here can be read without it: the server draws the pages.

const ENDS = new Set(["complete", "error", "cancelled"]);

function watchRun(run) {
  const status = document.getElementById("status");
  const live = document.getElementById("live");
  const liveText = document.getElementById("live-text");
  const source = new EventSource(run.dataset.events);
  let isDrawing = false;
  let isStale = false;
  let failures = 0;

  // One picture at a time; what happens meanwhile is in the next one.
  async function draw() {
    if (isDrawing) {
      isStale = true;
      return;
    }
    isDrawing = true;
    try {
      do {
        isStale = false;
        const reply = await fetch(run.dataset.view);
        if (!reply.ok) {
          throw new Error(String(reply.status));
        }
        const page = new DOMParser().parseFromString(await reply.text(), "text/html");
        replace(page.body.firstElementChild);
        failures = 0;
      } while (isStale);
    } catch {
      failures += 1;
      if (failures < 5) {
        setTimeout(draw, 1000 * failures);
      } else {
        status.textContent = status.dataset.ended;
      }
    } finally {
      isDrawing = false;
    }
  }

  function replace(drawn) {
    const opened = [...run.querySelectorAll("details[open]")].map((one) => one.id);
    const focused = document.activeElement;
    const isInside = focused !== document.body && run.contains(focused);
    const label = isInside ? focused.textContent : "";
    const name = isInside ? focused.id : "";
    run.replaceChildren(drawn);
    makeTabs(run);
    for (const id of opened) {
      document.getElementById(id)?.setAttribute("open", "");
    }
    if (isInside) {
      const again = name ? [document.getElementById(name)] : [...run.querySelectorAll("button, summary, a, [tabindex]")];
      again.find((one) => name || one.textContent === label)?.focus({ preventScroll: true });
    }
    if (status.textContent !== drawn.dataset.status) {
      status.textContent = drawn.dataset.status;
    }
    live.hidden = !liveText.textContent || ENDS.has(drawn.dataset.state);
  }

  let step = "";
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.type === "text") {
      if (event.step !== step) {
        step = event.step;
        liveText.textContent = "";
      }
      liveText.append(event.piece);
      live.hidden = false;
      return;
    }
    if (ENDS.has(event.type)) {
      source.close();
    }
    draw();
  };
}

// The tab that was chosen in each group; it stays chosen when the page is drawn anew.
const chosen = new Map();

// Makes tabs of the parts of a group that stand below each other. The arrows, Home and End go from tab to tab.
function makeTabs(root) {
  for (const group of root.querySelectorAll("[data-tabs]")) {
    const list = document.createElement("div");
    list.className = "tabs";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-labelledby", group.dataset.tabs);
    const panels = [...group.children];
    const tabs = panels.map((panel) => {
      const title = panel.querySelector("h3");
      const tab = document.createElement("button");
      tab.type = "button";
      tab.id = `tab-${panel.id}`;
      tab.dir = "auto";
      tab.textContent = title.textContent;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", panel.id);
      title.className = "unseen";
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      panel.tabIndex = 0;
      return tab;
    });
    const choose = (number) => {
      chosen.set(group.id, number);
      tabs.forEach((tab, each) => {
        tab.setAttribute("aria-selected", String(each === number));
        tab.tabIndex = each === number ? 0 : -1;
        panels[each].hidden = each !== number;
      });
    };
    list.addEventListener("click", (event) => {
      const number = tabs.indexOf(event.target);
      if (number >= 0) {
        choose(number);
      }
    });
    list.addEventListener("keydown", (event) => {
      const now = tabs.indexOf(event.target);
      const last = tabs.length - 1;
      const forward = document.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
      const back = forward === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
      const next = { [forward]: now < last ? now + 1 : 0, [back]: now ? now - 1 : last, Home: 0, End: last }[event.key];
      if (now >= 0 && next !== undefined) {
        event.preventDefault();
        choose(next);
        tabs[next].focus();
      }
    });
    list.append(...tabs);
    group.prepend(list);
    choose(Math.min(chosen.get(group.id) ?? 0, tabs.length - 1));
  }
}

function submitByKeyboard(field) {
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      field.form.requestSubmit();
    }
  });
}

// A link to a source opens it.
function openTarget() {
  const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  if (target?.tagName === "DETAILS") {
    target.open = true;
    target.scrollIntoView({ block: "nearest" });
  }
}

// A form with files shows how much of them has left.
function showUpload(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const progress = form.querySelector("progress");
    const request = new XMLHttpRequest();
    progress.hidden = false;
    request.upload.addEventListener("progress", (step) => {
      if (step.lengthComputable) {
        progress.value = step.loaded / step.total;
      }
    });
    request.addEventListener("load", () => {
      location.assign(request.responseURL || form.action);
    });
    request.addEventListener("error", () => form.submit());
    request.open("POST", form.action);
    request.send(new FormData(form));
  });
}

// A part of a page that is drawn anew until it says that nothing more will come.
function refresh(part) {
  setTimeout(async () => {
    let reply;
    try {
      reply = await fetch(part.dataset.refresh);
    } catch {
      // The program is being started anew.
      refresh(part);
      return;
    }
    if (!reply.ok) {
      return;
    }
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const drawn = page.body.firstElementChild;
    part.replaceWith(drawn);
    if (drawn.dataset.refresh) {
      refresh(drawn);
    } else {
      location.reload();
    }
  }, 1000);
}

makeTabs(document);
for (const run of document.querySelectorAll("[data-events]")) {
  watchRun(run);
}
/** While what a form asked for is being done, its buttons cannot be pressed again. */
function pressOnce(form) {
  const rest = (isBusy) => {
    form.setAttribute("aria-busy", String(isBusy));
    for (const button of form.querySelectorAll("button")) {
      button.disabled = isBusy;
    }
  };
  // Later: a button that is disabled at once is not sent along.
  form.addEventListener("submit", () => setTimeout(rest, 0, true));
  addEventListener("pageshow", (event) => event.persisted && rest(false));
}

for (const form of document.querySelectorAll("form[data-once]")) {
  pressOnce(form);
}
for (const field of document.querySelectorAll("[data-submits]")) {
  submitByKeyboard(field);
}
for (const form of document.querySelectorAll("form[data-uploads]")) {
  showUpload(form);
}
for (const part of document.querySelectorAll("[data-refresh]")) {
  refresh(part);
}
addEventListener("hashchange", openTarget);
openTarget();
