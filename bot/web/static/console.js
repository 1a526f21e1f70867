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
    run.replaceChildren(drawn);
    for (const id of opened) {
      document.getElementById(id)?.setAttribute("open", "");
    }
    if (isInside) {
      const again = [...run.querySelectorAll("button, summary, a, [tabindex]")];
      again.find((one) => one.textContent === label)?.focus();
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
    const reply = await fetch(part.dataset.refresh);
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
