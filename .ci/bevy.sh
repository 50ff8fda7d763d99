#!/usr/bin/env bash
# Checks of the Bevy plugin, a workspace of its own: format, lints, tests and documentation. Needs Rust 1.95 or newer, and crates.io.
set -euo pipefail
cd "$(dirname "$0")/../crates/bevy"

# The sync test (ggrs), the measurement (peers) and the window depend on all of Bevy and on other engines, with features that the
# plugin's build does not have, so nothing is shared: a check of them takes minutes. docs/bevy.md says what to run by hand.
for manifest in Cargo.toml ggrs/Cargo.toml peers/Cargo.toml window/Cargo.toml; do
    cargo fmt --manifest-path "$manifest" --check
done

# The tests run for seconds, and Bevy builds twice as fast without optimization.
quick=(--locked --config profile.dev.opt-level=0)
cargo clippy "${quick[@]}" --all-features --all-targets -- -D warnings
cargo test "${quick[@]}" --all-features
RUSTDOCFLAGS="-D warnings" cargo doc "${quick[@]}" --no-deps --all-features

# Without features the sub-crates of Bevy have fewer features of their own.
cargo check "${quick[@]}"
