#!/usr/bin/env bash
# The checks that need nothing but Rust, for systems on which `.ci/run` has no tools: macOS and Windows.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_RELEASE_DEBUG=0

cargo test --locked --workspace --all-features

# The scenes end in the states that are recorded in examples/tests/golden.txt: the same bits on every system.
cargo test --locked --release -p cairn2d-examples
