"""The web console and HTTP: pages and JSON over what every channel shares.

    wiring.py      puts the console together from the shared parts
    app.py         the application: routers, errors, assets
    guard.py       what every request meets first: host, rate, size of the body, headers of the reply
    visitors.py    who asks: session or token, role, CSRF; the dependencies that routes name
    context.py     what a page works with, and how it is drawn
    sessions.py    logging in and out
    api.py         runs over HTTP; events.py: a run as server-sent events
    run_view.py    a run as its page shows it
    interview_api.py  interviews over HTTP
    pages/         one router a page; templates/ and static/: what they draw with

To add a page:

1. Write ``pages/NAME.py`` with ``router = APIRouter(include_in_schema=False)``. A route names who may use it
   as the
   type of a parameter (`visitors.Member`, `visitors.Admin`, `visitors.Owner`), takes `context.Context` from
   `context.of(request)`, and returns ``context.page("NAME.html", visitor, …)``. A route that changes
   something is a POST, takes `visitors.Posted` instead (it has checked the CSRF token) and ends with
   `context.see("/where")`.
2. Write ``templates/NAME.html``: ``{% extends "layout.html" %}``, a block ``title`` and a block ``main``. No
   inline
   script, no inline style, no other host. What a browser draws anew while somebody watches goes into a
   partial ``_NAME.html`` with a route of its own: see ``_run.html``.
3. List the router in `app.PAGES`, with its place in the navigation if it has one, and give it a line in the
   table of
   tests/integration/test_console_security.py: it fails for a route that is not there.
4. Give its texts ``web-…`` in all catalogues of ``texts/``.
"""
