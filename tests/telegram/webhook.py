"""Delivery of updates to a webhook.

After setWebhook of the reference page: an HTTPS POST with a JSON update and the secret in
``X-Telegram-Bot-Api-Secret-Token``; an answer outside 2xx is retried. According to the server's source, updates
of one chat are sent one after another, those of different chats at once up to ``max_connections``, and the delay
of a retry doubles. Only the delays are shorter here.
"""

from __future__ import annotations

import asyncio
import json
from http.client import responses

from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest

from tests.telegram.updates import Update
from tests.telegram.world import Webhook, World


class Delivery:
    def __init__(self, world: World, *, first_delay: float, longest_delay: float, timeout: float) -> None:
        self._world = world
        self._first_delay = first_delay
        self._longest_delay = longest_delay
        self._timeout = timeout
        self._client = AsyncHTTPClient(force_instance=True, max_clients=100)
        self._lanes: dict[int, asyncio.Task[None]] = {}

    def look(self) -> None:
        with self._world.lock:
            hook = self._world.webhook
            if not hook.url:
                return
            for update in self._world.updates.pending:
                if update.lane not in self._lanes and len(self._lanes) < hook.max_connections:
                    self._lanes[update.lane] = asyncio.create_task(self._run(update.lane))

    async def close(self) -> None:
        for task in self._lanes.values():
            task.cancel()
        await asyncio.gather(*self._lanes.values(), return_exceptions=True)
        self._client.close()

    async def _run(self, lane: int) -> None:
        delay = self._first_delay
        try:
            while (found := self._next(lane)) is not None:
                hook, update = found
                problem = await self._post(hook, update)
                with self._world.lock:
                    if not problem:
                        self._world.updates.confirm(update)
                        delay = self._first_delay
                        continue
                    hook.last_error_date = int(self._world.clock.now())
                    hook.last_error_message = problem
                await asyncio.sleep(delay)
                delay = min(2 * delay, self._longest_delay)
        finally:
            del self._lanes[lane]
        self.look()

    def _next(self, lane: int) -> tuple[Webhook, Update] | None:
        with self._world.lock:
            hook = self._world.webhook
            waiting = [update for update in self._world.updates.pending if update.lane == lane]
            return (hook, waiting[0]) if hook.url and waiting else None

    async def _post(self, hook: Webhook, update: Update) -> str:
        headers = {"Content-Type": "application/json"}
        if hook.secret_token:
            headers["X-Telegram-Bot-Api-Secret-Token"] = hook.secret_token
        request = HTTPRequest(
            hook.url,
            method="POST",
            headers=headers,
            body=json.dumps(update.wire()),
            request_timeout=self._timeout,
            follow_redirects=False,
        )
        try:
            response = await self._client.fetch(request, raise_error=False)
        except HTTPClientError as error:
            return f"Wrong response from the webhook: {error.code} {error.message}"
        except OSError as error:
            return f"Connection failed: {error.strerror or error}"
        if response.code == 599:
            return "Connection timed out" if "imeout" in str(response.error) else "Connection failed"
        if 200 <= response.code < 300:
            return ""
        return f"Wrong response from the webhook: {response.code} {responses.get(response.code, '')}".strip()
