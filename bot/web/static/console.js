// What a page does while somebody watches. Everything here can be read without it: the server draws the pages.

const ENDS = new Set(["complete", "error", "cancelled"]);

function watchRun(run) {
  const status = document.getElementById("status");
  const live = run.querySelector(".live");
  const liveText = live.lastElementChild;
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
        following(() => show(page.body.firstElementChild));
        failures = 0;
      } while (isStale);
    } catch {
      failures += 1;
      if (failures < 5) {
        setTimeout(draw, 1000 * failures);
      } else {
        status.classList.remove("unseen");
        status.textContent = status.dataset.ended;
      }
    } finally {
      isDrawing = false;
    }
  }

  function show(drawn) {
    if (ENDS.has(drawn.dataset.state)) {
      live.hidden = true;
    }
    renew(run.firstElementChild, drawn);
    makeTabs(run);
    if (status.textContent !== drawn.dataset.status) {
      status.textContent = drawn.dataset.status;
    }
  }

  // A step that is repeated, or another one that writes, begins its text anew.
  let writer = "";
  source.onmessage = (message) => {
    const event = JSON.parse(message.data);
    if (event.type === "text") {
      following(() => {
        if (`${event.step} ${event.number}` !== writer) {
          writer = `${event.step} ${event.number}`;
          liveText.textContent = "";
        }
        liveText.append(event.piece);
        live.hidden = false;
      });
      return;
    }
    if (ENDS.has(event.type)) {
      source.close();
    }
    draw();
  };
}

// Whoever reads the end of a page still sees its end after a change.
function following(change) {
  const page = document.documentElement;
  const isAtEnd = page.scrollHeight - scrollY - innerHeight < 40;
  change();
  if (isAtEnd) {
    scrollTo(0, page.scrollHeight);
  }
}

// What the server drew of each element, and what scripts have added to that.
const served = new WeakMap();
const added = new WeakSet();
const ADDED = new Set(["open", "hidden", "role", "tabindex", "aria-labelledby"]);

function remember(root) {
  for (const one of [root, ...root.querySelectorAll("*")]) {
    served.set(one, one.outerHTML);
  }
}

// Brings an element up to what was drawn anew, and leaves alone what is the same: whoever reads there, has words
// selected or the focus there stays where they are.
function renew(shown, drawn) {
  const html = drawn.outerHTML;
  if (served.get(shown) === html) {
    return;
  }
  served.set(shown, html);
  for (const { name, value } of drawn.attributes) {
    shown.setAttribute(name, value);
  }
  for (const { name } of [...shown.attributes]) {
    if (!drawn.hasAttribute(name) && !ADDED.has(name)) {
      shown.removeAttribute(name);
    }
  }
  const left = [...shown.children].filter((one) => !added.has(one));
  const pairs = [...drawn.childNodes].map((node) => {
    const at = left.findIndex((one) => isAlike(one, node));
    return [node, at < 0 ? null : left.splice(at, 1)[0]];
  });
  for (const node of [...shown.childNodes]) {
    if (!(node instanceof Element) || left.includes(node)) {
      node.remove();
    }
  }
  let before = [...shown.children].findLast((one) => added.has(one)) ?? null;
  for (const [node, same] of pairs) {
    if (same) {
      renew(same, node);
    } else if (node instanceof Element) {
      remember(node);
    }
    const kept = same ?? node;
    const next = before ? before.nextSibling : shown.firstChild;
    if (next !== kept) {
      shown.insertBefore(kept, next);
    }
    before = kept;
  }
}

// Whether two elements are the same thing at two times: by their ids or titles, or of one kind without any.
function isAlike(one, other) {
  const name = (each) => each.id || each.getAttribute?.("aria-labelledby") || "";
  return one.nodeName === other.nodeName && name(one) === name(other);
}

// Makes tabs of the parts of a group that stand below each other. The arrows, Home and End go from tab to tab.
// Again for parts that have come since, it makes their tabs; the one that is chosen stays chosen.
function makeTabs(root) {
  for (const group of root.querySelectorAll("[data-tabs]")) {
    const panels = [...group.querySelectorAll(":scope > .panel")];
    const list = group.querySelector(":scope > .tabs") ?? makeTabList(group);
    const tabs = panels.map((panel) => document.getElementById(`tab-${panel.id}`) ?? makeTab(panel));
    if (tabs.some((tab, each) => list.children[each] !== tab) || list.children.length > tabs.length) {
      list.replaceChildren(...tabs);
    }
    panels.forEach((panel, each) => {
      const title = panel.firstElementChild;
      title.classList.add("unseen");
      if (tabs[each].textContent !== title.textContent) {
        tabs[each].textContent = title.textContent;
      }
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tabs[each].id);
      panel.tabIndex = 0;
    });
    choose(list, tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? tabs[0]);
  }
}

function makeTabList(group) {
  const list = document.createElement("div");
  list.className = "tabs";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-labelledby", group.dataset.tabs);
  list.addEventListener("click", (event) => {
    if (event.target !== list) {
      choose(list, event.target);
    }
  });
  list.addEventListener("keydown", (event) => {
    const tabs = [...list.children];
    const now = tabs.indexOf(event.target);
    const last = tabs.length - 1;
    const next = { ArrowRight: now < last ? now + 1 : 0, ArrowLeft: now ? now - 1 : last, Home: 0, End: last }[event.key];
    if (now >= 0 && next !== undefined) {
      event.preventDefault();
      choose(list, tabs[next]);
      tabs[next].focus();
    }
  });
  added.add(list);
  group.prepend(list);
  return list;
}

function makeTab(panel) {
  const tab = document.createElement("button");
  Object.assign(tab, { type: "button", id: `tab-${panel.id}`, dir: "auto", role: "tab" });
  tab.setAttribute("aria-controls", panel.id);
  return tab;
}

function choose(list, chosen) {
  for (const tab of list.children) {
    tab.setAttribute("aria-selected", String(tab === chosen));
    tab.tabIndex = tab === chosen ? 0 : -1;
    document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
  }
}

// Enter sends; Shift and Enter break the line, and so does Enter while an input method composes a word.
function submitByKeyboard(field) {
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      if (field.form.getAttribute("aria-busy") !== "true") {
        field.form.requestSubmit();
      }
    }
  });
}

function showLocalTimes() {
  const shown = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[datetime]")) {
    time.textContent = shown.format(new Date(time.dateTime));
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
      progress.value = step.lengthComputable ? step.loaded / step.total : 0;
    });
    request.addEventListener("load", () => {
      if (request.status < 400) {
        location.assign(request.responseURL || form.action);
        return;
      }
      // The page that says why; sent once more, what was taken in would be refused as well.
      document.open();
      document.write(request.responseText);
      document.close();
    });
    request.addEventListener("error", () => form.submit());
    request.open("POST", form.action);
    request.send(new FormData(form));
  });
}

// While what a form asked for is being done, nothing can be typed or pressed in it and in its neighbours.
function pressOnce(form) {
  const rest = (isBusy) => {
    for (const one of document.querySelectorAll("form[data-once]")) {
      one.setAttribute("aria-busy", String(isBusy));
      one.querySelectorAll("button").forEach((button) => (button.disabled = isBusy));
      one.querySelectorAll("textarea").forEach((field) => (field.readOnly = isBusy));
    }
  };
  // Later: a button that is disabled at once is not sent along.
  form.addEventListener("submit", () => setTimeout(rest, 0, true));
  addEventListener("pageshow", (event) => event.persisted && rest(false));
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

for (const run of document.querySelectorAll("[data-events]")) {
  remember(run);
  watchRun(run);
}
makeTabs(document);
document.querySelectorAll("form[data-once]").forEach(pressOnce);
document.querySelectorAll("[data-submits]").forEach(submitByKeyboard);
document.querySelectorAll("form[data-uploads]").forEach(showUpload);
document.querySelectorAll("[data-refresh]").forEach(refresh);
showLocalTimes();
