#!/usr/bin/env bash
# Checks of the testbed: a workspace of its own, and a window on a display without a screen.
# Installs the missing packages for such a display (Debian, as root or with sudo).
set -euo pipefail
cd "$(dirname "$0")/../examples/testbed"

source ../../.ci/targets.sh
install_debian xvfb-run xvfb xauth libgl1 libegl1 libgl1-mesa-dri \
    libx11-xcb1 libxcursor1 libxi6 libxrandr2 libxkbcommon-x11-0
install_debian xauth xauth

# The toolkit is built for a few frames only, so without optimization, and the engine with few.
quick=(--config profile.release.opt-level=0)
for crate in simd geometry broadphase dynamics examples; do
    quick+=(--config "profile.release.package.cairn2d-$crate.opt-level=1")
done
cargo fmt --check
cargo clippy --release "${quick[@]}" --all-targets -- -D warnings
cargo test --release "${quick[@]}"
