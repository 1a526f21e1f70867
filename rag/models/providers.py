"""Providers of chat models that are reached by their name alone (``anthropic:NAME``).

`pydantic-ai` knows their addresses, keys and protocols; a provider that it does not know would need a client
of its own in `make_model`. This table says what must be there before its client is imported, which takes
seconds: the variable of the key, and for some the package of the provider.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pydantic import SecretStr

from rag.errors import OperatorError
from rag.reasons import Reason

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from rag.models.endpoint import Endpoint


@dataclass(frozen=True, slots=True)
class Provider:
    """The requirements of a provider.

    Args:
        key: Environment variable of its key; empty: it has other credentials, which its package finds.
        module: Module that it needs besides `pydantic-ai`; empty: none.
        package: The package on PyPI that holds the module.
    """

    key: str = ""
    module: str = ""
    package: str = ""


PROVIDERS: Final[Mapping[str, Provider]] = MappingProxyType(
    {
        "alibaba": Provider("ALIBABA_API_KEY"),
        "anthropic": Provider("ANTHROPIC_API_KEY", "anthropic", "anthropic"),
        "bedrock": Provider("", "boto3", "boto3"),
        "cerebras": Provider("CEREBRAS_API_KEY"),
        "cohere": Provider("CO_API_KEY", "cohere", "cohere"),
        "deepseek": Provider("DEEPSEEK_API_KEY"),
        "fireworks": Provider("FIREWORKS_API_KEY"),
        "google": Provider("GOOGLE_API_KEY", "google.genai", "google-genai"),
        "groq": Provider("GROQ_API_KEY", "groq", "groq"),
        "huggingface": Provider("HF_TOKEN"),
        "mistral": Provider("MISTRAL_API_KEY", "mistralai", "mistralai"),
        "moonshotai": Provider("MOONSHOTAI_API_KEY"),
        "nebius": Provider("NEBIUS_API_KEY"),
        "openrouter": Provider("OPENROUTER_API_KEY"),
        "ovhcloud": Provider("OVHCLOUD_API_KEY"),
        "sambanova": Provider("SAMBANOVA_API_KEY"),
        "together": Provider("TOGETHER_API_KEY"),
        "xai": Provider("XAI_API_KEY", "xai_sdk", "xai-sdk"),
        "zai": Provider("ZAI_API_KEY"),
    }
)


def find_key(name: str, given: SecretStr) -> SecretStr:
    """Return the key for a provider: the one that is given, or else the one in the environment.

    Args:
        name: The provider, one of `PROVIDERS`.
        given: The key from the settings; empty: none.

    Raises:
        OperatorError: there is no key, or the provider's package is not installed.
    """
    provider = PROVIDERS[name]
    if provider.module and not _is_installed(provider.module):
        raise OperatorError(Reason("provider-no-package", {"provider": name, "package": provider.package}))
    key = given.get_secret_value() or os.environ.get(provider.key, "")
    if provider.key and not key:
        raise OperatorError(Reason("provider-no-key", {"provider": name, "variable": provider.key}))
    return SecretStr(key)


def make_model(endpoint: Endpoint) -> Model:
    """Return the client of a model that is reached by its provider's name; it tries each call once.

    Raises:
        OperatorError: the provider does not take the name or the credentials.
    """
    from pydantic_ai.exceptions import UserError
    from pydantic_ai.models import infer_model
    from pydantic_ai.providers import infer_provider_class

    key = endpoint.api_key.get_secret_value()

    def make_provider(name: str) -> Any:  # noqa: ANN401 - one of many classes without a common constructor
        made: Any = infer_provider_class(name)
        return made(api_key=key) if key else made()

    try:
        model = infer_model(f"{endpoint.provider}:{endpoint.model}", make_provider)
    except UserError as exc:
        raise OperatorError(
            Reason("provider-refused", {"model": endpoint.name, "error": str(exc).splitlines()[0]})
        ) from exc
    client: Any = getattr(model, "client", None)
    if hasattr(client, "max_retries"):
        # Tries are counted in one place, ours.
        client.max_retries = 0
    return model


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False
