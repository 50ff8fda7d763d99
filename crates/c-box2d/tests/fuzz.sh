#!/usr/bin/env bash
# Calls Box2D's functions in random order with good and bad arguments, under AddressSanitizer in library and program.
#
#     crates/c-box2d/tests/fuzz.sh SECONDS [SEED]
#
# Needs a nightly toolchain of Rust, and the headers of Box2D that .ci/c-box2d.sh fetches, or those of BOX2D_INCLUDE. Each seed is 100 000
# calls. A failure names its seed.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1 seed=${2:-1}
include=${BOX2D_INCLUDE:-$(echo "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/boxdd-sys-0.6.0/third-party/box2d/include)}
target=${CARGO_TARGET_DIR:-target}/address
host=$(rustc +nightly -vV | sed -n 's/^host: //p')
# With `--target`, build scripts and macros are not instrumented. The sanitizer's runtime is Rust's, so gcc links without its own.
RUSTFLAGS="-Zsanitizer=address" cargo +nightly build -q --locked --lib --config profile.dev.opt-level=1 --target "$host" --target-dir "$target"
runtime=$(rustc +nightly --print target-libdir)/librustc-nightly_rt.asan.a
gcc -std=c17 -g -O1 -Wall -Wextra -Werror "-I$include" tests/c/bad_fuzz.c -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive \
    "$target/$host/debug/libcairn2d_box2d.a" -lpthread -ldl -lrt -lm -o "$target/bad_fuzz"
end=$((SECONDS + seconds)) first=$seed
while [ $SECONDS -lt $end ]; do
    "$target/bad_fuzz" "$seed" 100000 || { echo "fails with seed $seed" >&2; exit 1; }
    seed=$((seed + 1))
done
echo "$((seed - first)) seeds, $((seed - first))00000 calls"
