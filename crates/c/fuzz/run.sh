#!/usr/bin/env bash
# Calls all functions of the C interface in random order with random arguments.
#
#     crates/c/fuzz/run.sh SECONDS [SEED]
#
# The program is under AddressSanitizer: it watches the caller's memory and all of the heap's bookkeeping, but in the library only calls of
# the C library. CAIRN2D_VALGRIND=1 runs it under valgrind instead, which sees each access of the library, thirty times slower.
# A failure names its round; repeat it with that number as SEED. CAIRN2D_TRACE=1 prints each call.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --locked -q -p cairn2d-c
mkdir -p target/fuzz
python3 fuzz/generate.py >target/fuzz/fuzz.c
sanitizer="-fsanitize=address,undefined" runner=
if [ -n "${CAIRN2D_VALGRIND:-}" ]; then
    sanitizer="" runner="valgrind -q --error-exitcode=9"
fi
gcc -std=c99 -g -O1 -Wall -Wextra -Werror -Wno-unused-function $sanitizer -Iinclude target/fuzz/fuzz.c \
    -Ltarget/debug -lcairn2d -lpthread -lm -o target/fuzz/fuzz
LD_LIBRARY_PATH=target/debug $runner target/fuzz/fuzz "$@"
