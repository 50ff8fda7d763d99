#!/usr/bin/env bash
# The package for the web and the page with all scenes: build, sizes, types, tests under node and in Chromium.
#
# Needs rustup; node, npm and Chromium are installed from Debian where they are missing. Ends with 77 if that is not possible.
set -euo pipefail
cd "$(dirname "$0")/.."
source .ci/targets.sh

# Largest sizes with glue after gzip [kB]. The goals are 150 and 250: a limit goes down when the module does, and rises only with a feature
# of the engine: half-spaces took 12 and 20 kB, and the inlining that makes the core faster than other engines 37 kB of it. From 349 kB the core rose by the
# check of arguments in JavaScript, 6 kB with the entry, and by changes and readings of bodies, shapes and joints, explosions, one-way
# shapes and the engine's work of the same time, 22 kB of the module. The full package, built for speed, rose from 693 kB by these and by
# deltas, rollback, clones, debug drawing, and options of characters and crowds. Joints in lanes took 13 kB, queues of crowds and a second size of
# blocks in the linear solver 3 kB of each. A single copy of the code of crowded joints made the core 10 kB smaller. Arms of
# rocking bodies, loads of piles, scene files to edit by hand and joints in steps of changing length took 1 and 3 kB together.
# Other corners of bodies that bounce, limits in linkages, sensors searched from both ends and agents that give up took 2 and 5 kB.
# Places of panics in the sources, which no function reads, were 9 and 10 kB.
core_limit=390
full_limit=813

# vite and its bundler need this version; Debian 12 has an older one.
install_node 20.19 || unavailable "node 20.19 or newer"
command -v npm >/dev/null || install_debian npm npm || unavailable npm
add_target wasm32-unknown-unknown || unavailable "the standard library of wasm32"
install_debian chromium chromium || unavailable Chromium

cargo fmt --manifest-path crates/web/Cargo.toml --all --check
cd crates/web
npm ci --no-audit --no-fund
npm run build | tee target-sizes.log
for name in core full; do
    limit=${name}_limit
    size=$(sed -n "s/^size $name: \([0-9.]*\) kB.*/\1/p" target-sizes.log)
    echo "$name: $size kB of at most ${!limit} kB"
    awk -v size="$size" -v limit="${!limit}" 'BEGIN { exit !(size != "" && size <= limit) }'
done
npm test
