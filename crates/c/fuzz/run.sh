#!/usr/bin/env bash
# Calls all functions of the C interface in random order with random arguments.
#
#     crates/c/fuzz/run.sh SECONDS [SEED]
#
# The program is under AddressSanitizer: it watches the caller's memory and all of the heap's bookkeeping, but in the library only calls of
# the C library. CAIRN2D_NIGHTLY=1 builds the library with AddressSanitizer too, which needs a nightly toolchain of Rust.
# CAIRN2D_VALGRIND=1 runs all under valgrind instead, thirty times slower.
# A failure names its round; repeat it with that number as SEED. CAIRN2D_TRACE=1 prints each call.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/fuzz"
python3 fuzz/generate.py >"$target/fuzz/fuzz.c"
sanitizer="-fsanitize=address,undefined" runner="" libraries="-L$target/debug -lcairn2d"
if [ -n "${CAIRN2D_NIGHTLY:-}" ]; then
    # With `--target`, build scripts and macros are not instrumented. The sanitizer's runtime is Rust's, so gcc links without its own.
    host=$(rustc +nightly -vV | sed -n 's/^host: //p')
    RUSTFLAGS="-Zsanitizer=address" cargo +nightly build --locked -q -p cairn2d-c --target "$host" --target-dir "$target/address"
    runtime=$(rustc +nightly --print target-libdir)/librustc-nightly_rt.asan.a
    sanitizer="" libraries="-Wl,--whole-archive $runtime -Wl,--no-whole-archive $target/address/$host/debug/libcairn2d.a -ldl -lrt"
else
    cargo build --locked -q -p cairn2d-c
fi
if [ -n "${CAIRN2D_VALGRIND:-}" ]; then
    sanitizer="" runner="valgrind -q --error-exitcode=9"
fi
# shellcheck disable=SC2086
gcc -std=c99 -g -O1 -Wall -Wextra -Werror -Wno-unused-function $sanitizer -Iinclude "$target/fuzz/fuzz.c" $libraries -lpthread -lm \
    -o "$target/fuzz/fuzz"
LD_LIBRARY_PATH=$target/debug $runner "$target/fuzz/fuzz" "$@"
