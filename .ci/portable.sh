#!/usr/bin/env bash
# The same bits on x86-64, i686, aarch64 and wasm32, for all widths of lanes and 1 to 8 threads.
#
#   .ci/portable.sh            emulated processors run the scenes that are not benchmarks, for at most 40 steps
#   .ci/portable.sh --whole    all scenes and steps everywhere, and debug builds
#
# Needs rustup, cross compilers, qemu-user and node; missing ones are installed from Debian. Failures are listed at the end.
# So are checks whose tools cannot be installed: then the script ends with 77.
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/targets.sh

whole=${1:-}
table=examples/tests/golden.txt
# Benchmarks have up to 22 000 bodies, and 20 steps in the table.
mapfile -t small < <(awk '!/^#/ && $2 > 20 { print $1 }' "$table")
quick=(--steps 40 "${small[@]}")
# Other processors run too few steps to be worth a full optimization, which takes twice as long to build.
fast=(--config profile.release.opt-level=1)
[ "$whole" = --whole ] && quick=() fast=()
out=target/portable
rm -rf "$out" && mkdir -p "$out"
failures=()
unchecked=()

# check NAME EXPECTED COMMAND...: the command must print the content of the file EXPECTED.
check() {
    local name=$1 expected=$2
    shift 2
    local start=$SECONDS
    if "$@" >"$out/$name.txt" 2>"$out/$name.err" && diff "$expected" "$out/$name.txt" >"$out/$name.diff"; then
        echo "equal: $name ($((SECONDS - start)) s)"
    else
        head -n 5 "$out/$name.err" "$out/$name.diff" 2>/dev/null || true
        echo "$name" >>"$out/failed"
    fi
}

# Builds `hashes` for a target, and prints its path.
build() {
    local target=$1
    shift
    cargo build -p cairn2d-examples --no-default-features --features threads --bin hashes --target "$target" "${fast[@]}" "$@" >&2 &&
        echo "target/$target"
}

install_tools
as_linkers

# Every combination of features compiles. The default ones are built below, and all in the tests.
for features in "" crowd threads serde "crowd serde" "threads serde"; do
    cargo check --quiet -p cairn2d --no-default-features --features "$features" || failures+=("features '$features'")
done

# The reference: this machine, and the build of all programs with their default features; the other targets have fewer. Its table is that of
# the golden test; a shorter one is for emulated processors.
cargo programs
native=target/release/hashes
check x86_64 "$table" "$native"
cp "$table" "$out/short"
[ "${#quick[@]}" = 0 ] || "$native" "${quick[@]}" >"$out/short"
for threads in 2 3 8; do
    check "x86_64_threads_$threads" "$table" "$native" --threads "$threads"
done
"$native" save "$out/saves" >"$out/saves.txt"
check x86_64_saves "$out/saves.txt" "$native" continue "$out/saves"
saved=$(cut -d' ' -f1 "$out/saves.txt")

# Lanes: the widest of the processor above, eight with AVX2, four with SSE2. QEMU has no AVX-512.
widths() {
    check x86_64_lanes_4 "$out/short" qemu-x86_64 -cpu Nehalem "$native" "${quick[@]}"
    check x86_64_lanes_8 "$out/short" qemu-x86_64 -cpu Haswell "$native" "${quick[@]}"
}
jobs=()
if command -v qemu-x86_64 >/dev/null; then
    widths &
    jobs+=($!)
else
    unchecked+=("x86-64 with fewer lanes")
fi

wasm32() {
    local module=target/wasm32-unknown-unknown/release/examples/hashes_wasm.wasm
    tail -n +2 "$table" >"$out/rows"
    check "wasm32$1" "$out/rows" node examples/hashes/run.mjs "$module"
    # shellcheck disable=SC2086
    check "wasm32$1_saves" "$out/saves.txt" node examples/hashes/run.mjs "$module" continue "$out/saves" $saved
}
build_wasm32() {
    cargo build --release -p cairn2d-examples --no-default-features --example hashes_wasm --target wasm32-unknown-unknown "${fast[@]}"
}
if ! is_ready wasm32-unknown-unknown node; then unchecked+=(wasm32)
elif RUSTFLAGS="-C target-feature=+simd128" build_wasm32; then wasm32 _simd128; else failures+=("wasm32: no build"); fi

if ! is_ready i686-unknown-linux-gnu i686-linux-gnu-gcc; then
    unchecked+=(i686)
elif folder=$(build i686-unknown-linux-gnu --release); then
    i686=(/usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib "$folder/release/hashes")
    check i686 "$table" "${i686[@]}"
    check i686_threads_8 "$table" "${i686[@]}" --threads 8
    check i686_saves "$out/saves.txt" "${i686[@]}" continue "$out/saves"
else
    failures+=("i686: no build")
fi

if ! is_ready aarch64-unknown-linux-gnu aarch64-linux-gnu-gcc qemu-aarch64; then
    unchecked+=(aarch64)
elif folder=$(build aarch64-unknown-linux-gnu --release); then
    aarch64=(qemu-aarch64 -L /usr/aarch64-linux-gnu "$folder/release/hashes")
    check aarch64 "$out/short" "${aarch64[@]}" "${quick[@]}" &
    jobs+=($!)
    check aarch64_saves "$out/saves.txt" "${aarch64[@]}" continue "$out/saves"
else
    failures+=("aarch64: no build")
fi
[ "${#jobs[@]}" = 0 ] || wait "${jobs[@]}"

if [ "$whole" = --whole ]; then
    # Without SIMD128, and debug builds; the golden test runs the debug build of this machine.
    if build_wasm32; then wasm32 _arrays; else failures+=("wasm32 without SIMD128: no build"); fi
    for target in i686-unknown-linux-gnu aarch64-unknown-linux-gnu; do
        if folder=$(build "$target"); then
            case $target in
            i686*) check i686_debug "$table" "${i686[@]/release/debug}" ;;
            *) check aarch64_debug "$table" "${aarch64[@]/release/debug}" ;;
            esac
        else
            failures+=("$target: no debug build")
        fi
    done
    check x86_64_threads_8_lanes_4 "$table" qemu-x86_64 -cpu Nehalem "$native" --threads 8
fi

[ ! -e "$out/failed" ] || mapfile -t -O "${#failures[@]}" failures <"$out/failed"
if [ "${#failures[@]}" -gt 0 ]; then
    printf 'NOT EQUAL OR NOT BUILT: %s\n' "${failures[@]}" >&2
    exit 1
fi
if [ "${#unchecked[@]}" -gt 0 ]; then
    printf 'NOT CHECKED, a tool cannot be installed here: %s\n' "${unchecked[@]}" >&2
    exit 77
fi
echo "All targets give the same bits."
