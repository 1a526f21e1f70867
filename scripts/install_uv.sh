#!/bin/sh
# Install uv into the folder $1, with whatever this machine's Python offers.
set -eu

folder=$1
pinned=$(dirname "$0")/uv.txt
version=$(sed -n 's/^uv==\([0-9.]*\).*/\1/p' "$pinned")
python=${PYTHON:-}

if [ -z "$python" ] || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "Python 3.11 or newer is needed and was not found: install it, or say PYTHON=/path/to/python3.11 make ..." >&2
    exit 3
fi

if [ -x "$folder/bin/uv" ] && "$folder/bin/uv" --version 2>/dev/null | grep -q " $version"; then
    exit 0
fi

echo "Setting up uv $version in $folder ..."
# With venv; with pip alone; with Debian's packages where neither is there (Debian splits them off Python).
if "$python" -c 'import venv, ensurepip' 2>/dev/null; then
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$pinned"
elif "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m pip install --quiet --disable-pip-version-check --ignore-installed --prefix "$folder" --require-hashes -r "$pinned"
    # Some Pythons put scripts of a prefix under local/.
    if [ ! -x "$folder/bin/uv" ] && [ -x "$folder/local/bin/uv" ]; then
        mkdir -p "$folder/bin" && ln -sf ../local/bin/uv "$folder/bin/uv"
    fi
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    apt-get update -qq && apt-get install -y -qq python3-venv python3-pip >/dev/null
    "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$pinned"
else
    echo "This Python has neither venv nor pip: install them (Debian: apt-get install python3-venv) and run make again." >&2
    exit 3
fi
"$folder/bin/uv" --version
