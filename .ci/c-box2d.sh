#!/usr/bin/env bash
# The library with Box2D's C functions: lints, a comparison with the headers, C tests, the unit tests of the Rust binding `boxdd`, and
# scenes on both libraries.
#
# Headers and sources of Box2D come with the crate `boxdd-sys` from the registry, to a folder of results: nothing of them is in this
# repository. Needs a C compiler, python3 and crates.io; ends with 77 without one of them. FULL=1 runs the tests of `boxdd`, too.
# MEASURE=1 runs all steps of the scenes three times, with link-time optimization: the tables of docs/from-box2d-c.md.
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/targets.sh

export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/crates/c-box2d/target}
# What is checked does not depend on optimization across crates, which takes minutes.
export CARGO_PROFILE_RELEASE_LTO=${CARGO_PROFILE_RELEASE_LTO:-$([ -n "${MEASURE:-}" ] && echo fat || echo off)}
manifest=$PWD/crates/c-box2d/Cargo.toml
tests=$PWD/crates/c-box2d/tests
work=$CARGO_TARGET_DIR/c-box2d
library=$CARGO_TARGET_DIR/release
cc=${CC:-cc}
mkdir -p "$work/fetch/src"

command -v "$cc" >/dev/null || unavailable "a C compiler"
command -v python3 >/dev/null || unavailable python3

# The crates `boxdd` and `boxdd-sys`, unpacked in cargo's registry.
cat >"$work/fetch/Cargo.toml" <<'MANIFEST'
[package]
name = "fetch"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
boxdd = "=0.6.0"
MANIFEST
touch "$work/fetch/src/lib.rs"
cargo fetch -q --manifest-path "$work/fetch/Cargo.toml" || unavailable "boxdd from crates.io"
registry=${CARGO_HOME:-$HOME/.cargo}/registry/src
box2d=$(echo "$registry"/*/boxdd-sys-0.6.0/third-party/box2d)
include=$box2d/include

cargo fmt --manifest-path "$manifest" --check
cargo clippy --manifest-path "$manifest" --release --all-targets -- -D warnings
cargo build --manifest-path "$manifest" --release --lib --example layout

# Types, layouts and enum values are the headers'.
python3 "$tests/headers.py" "$include" layout >"$work/layout.c"
"$cc" -I"$include" "$work/layout.c" -o "$work/layout"
diff <("$work/layout" | sort) <("$library/examples/layout" | sort)
nm -D --defined-only "$library/libcairn2d_box2d.so" >"$work/symbols"
python3 "$tests/headers.py" "$include" exports "$work/symbols"
python3 "$tests/headers.py" "$include" types crates/c-box2d/src

# Box2D itself, for the tests that both pass and for the scenes. With AVX2 where the processor has it, as the engine.
avx2=$(grep -qw avx2 /proc/cpuinfo 2>/dev/null && echo "-mavx2 -mfma -DBOX2D_AVX2" || true)
peer=$work/box2d/O3/libbox2d.a
mkdir -p "$(dirname "$peer")"
if [ ! -f "$peer" ]; then
    for source in "$box2d"/src/*.c; do
        # shellcheck disable=SC2086
        "$cc" -std=gnu17 -O3 -DNDEBUG -ffp-contract=off $avx2 -I"$include" -I"$box2d/src" -c "$source" \
            -o "${peer%/*}/$(basename "$source" .c).o"
    done
    ar rcs "$peer" "${peer%/*}"/*.o
fi
flags=(-std=c17 -O2 -Wall -Wextra -Werror "-I$include")
ours=("-L$library" -lcairn2d_box2d "-Wl,-rpath,$library" -lm -lpthread)
for test in "$tests"/c/*.c; do
    name=$(basename "$test" .c)
    "$cc" "${flags[@]}" "$test" "${ours[@]}" -o "$work/$name"
    if [ "${name#bad_}" = "$name" ]; then
        "$cc" "${flags[@]}" "$test" "$peer" -lm -lpthread -o "$work/$name-box2d"
    fi
    "$work/$name" || { echo "c-box2d.sh: $name fails" >&2; exit 1; }
    if [ "${name#bad_}" = "$name" ]; then
        "$work/$name-box2d" || { echo "c-box2d.sh: Box2D itself fails $name" >&2; exit 1; }
    fi
done
# The library as a part of the program.
"$cc" "${flags[@]}" "$tests/c/hello.c" "$library/libcairn2d_box2d.a" -lm -lpthread -ldl -o "$work/hello-static"
"$work/hello-static"

# Scenes on both libraries: the large ones for a few steps, unless they are measured.
"$cc" "${flags[@]}" "-I$tests/c" "$tests"/scenes/*.c "${ours[@]}" -o "$work/scenes"
"$cc" "${flags[@]}" "-I$tests/c" "$tests"/scenes/*.c "$peer" -lm -lpthread -o "$work/scenes-box2d"
extent=$([ -n "${MEASURE:-}" ] && echo "--rounds 3" || echo "--steps 30")
# shellcheck disable=SC2086
python3 "$tests/compare.py" "$work/scenes-box2d" "$work/scenes" $extent

if [ -n "${FULL:-}" ]; then
    python3 "$tests/boxdd.py" "$registry" "$work/boxdd" "$library"
fi
