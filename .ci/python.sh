#!/usr/bin/env bash
# Checks of the Python package, from a clean checkout: format, lints, build, tests. Needs Rust, Python 3.10 or later with venv,
# and PyPI.
set -euo pipefail
cd "$(dirname "$0")/.."

# One target directory for both workspaces: macros and build scripts are built once.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
manifest=crates/python/Cargo.toml
venv=$CARGO_TARGET_DIR/python-venv

python=$(command -v python3) || { echo "NOT CHECKED: python3 is missing" >&2; exit 77; }
"$python" -m venv "$venv" || { echo "NOT CHECKED: python3 has no venv (Debian: python3-venv)" >&2; exit 77; }
pip() { "$venv/bin/python" -m pip --disable-pip-version-check install -q "$@"; }

# Tests whether packages can be installed at all: a failure after this is a fault of the package.
pip maturin pytest numpy || { echo "NOT CHECKED: PyPI is not reachable" >&2; exit 77; }

cargo fmt --manifest-path $manifest --check

# The wheel of the README's install command, in the release profile: stripped, and one for all versions of Python. CI keeps it.
wheels=$CARGO_TARGET_DIR/wheels
rm -rf "$wheels"
"$venv/bin/python" -m pip --disable-pip-version-check wheel -q --no-deps -w "$wheels" ./crates/python
wheel=$(echo "$wheels"/cairn2d-*-cp310-abi3-*.whl)
[ "$(wc -c <"$wheel")" -lt 5000000 ] || { echo "python.sh: the wheel is larger than 5 MB: is it stripped?" >&2; exit 1; }
pip twine && "$venv/bin/python" -m twine check --strict "$wheel"
pip --force-reinstall --no-deps "$wheel"
pip "$wheel[test]"

# The original engine, for the comparison of scores: it needs a C++ compiler. Without it the other checks run.
if ! { pip swig && pip "gymnasium[box2d]"; }; then
    echo "python.sh: WARNING: the original Box2D does not install; scores are not compared with it" >&2
fi

# Clippy in the profile of the build, which shares its macros and build scripts.
PYO3_PYTHON=$venv/bin/python cargo clippy --manifest-path $manifest --release --all-targets -- -D warnings

# Without this, the tests that fetch programs from PyPI skip where it does not answer.
export CAIRN2D_NEEDS_PYPI=1

# The README's test command. The tests need the installed package, not the source directory.
"$venv/bin/python" -m pytest -q -p no:cacheprovider crates/python/tests
