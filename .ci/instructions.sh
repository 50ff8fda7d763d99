#!/usr/bin/env bash
# Guards the speed of a step by its number of instructions. Needs valgrind: without it this fails where CI=true, and is skipped elsewhere.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo programs
target/release/instructions "$@"
