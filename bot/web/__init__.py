"""The web console and HTTP: pages and JSON over what every channel shares.

`wiring` puts it together, `app` holds the routers, `guard` is what every request meets first; each page is a
router in ``pages/``, drawn with ``templates/`` and ``static/``. To add a page:

1. Write ``pages/NAME.py`` with ``router = APIRouter(include_in_schema=False)``. A route names who may use it
   as the type of a parameter (`visitors.Member`, `visitors.Admin`, `visitors.Owner`), takes `context.Context`
   from `context.of(request)`, and returns ``context.page("NAME.html", visitor, …)``. A route that changes
   something is a POST, takes `visitors.Posted` instead (it has checked the CSRF token) and ends with
   `context.see("/where")`.
2. Write ``templates/NAME.html``: ``{% extends "layout.html" %}``, a block ``title`` and a block ``main``. No
   inline script, no inline style, no other host. What a browser draws anew while somebody watches goes into a
   partial ``_NAME.html`` with a route of its own: see ``_run.html``.
3. List the router in `app.PAGES`, with its place in the navigation if it has one, and give it a line in the
   table of tests/integration/test_console_security.py: it fails for a route that is not there.
4. Give its texts ``web-…`` in all catalogues of ``texts/``.
"""
