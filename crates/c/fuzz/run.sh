#!/usr/bin/env bash
# Calls all functions of the C interface with random arguments, under AddressSanitizer in the library, too.
#
#     crates/c/fuzz/run.sh SECONDS [SEED]
#
# Needs clang. A failure names its round; repeat it with that number as SEED. CAIRN2D_TRACE=1 prints each call.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_PROFILE_DEV_DEBUG=${CARGO_PROFILE_DEV_DEBUG:-line-tables-only}
# The sanitizer is a switch of unstable Rust; the target is named so that build scripts are not sanitized.
RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address" cargo build --locked -p cairn2d-c --target "$target" --target-dir target/fuzz
mkdir -p target/fuzz
python3 fuzz/generate.py >target/fuzz/fuzz.c
clang -std=c99 -g -O1 -Wall -Werror -Wno-unused-function -fsanitize=address,undefined -fno-sanitize=float-divide-by-zero -Iinclude target/fuzz/fuzz.c \
    "target/fuzz/$target/debug/libcairn2d.a" -lpthread -ldl -lm -o target/fuzz/fuzz
target/fuzz/fuzz "$@"
