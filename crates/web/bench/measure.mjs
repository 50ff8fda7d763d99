// Times the engines in turn, several rounds each, in blocks of steps, and keeps the fastest time of each block: other programs only
// add time, and leave short blocks alone more often than whole rounds. Each round repeats the same motion.
import { engines } from "./engines.mjs";

export const COUNTS = [10, 50, 200, 1000];
const STEPS = 180;
/** Steps of a block: few, but long enough for the clock of an isolated page, which has a resolution of 5 us. */
const block = (count) => Math.min(Math.max(Math.round(3000 / count), 3), 60);
const ROUNDS = 8;
const WARM_STEPS = 1000;

/** Boxes that fall into a tub in loose columns, and come to lie as a heap. */
function boxes(count) {
  const columns = Math.ceil(Math.sqrt(count));
  const half = columns * 0.75 + 1;
  const fixed = [[half + 1, 0.5, 0, -0.5], [0.5, 200, -half - 0.5, 199], [0.5, 200, half + 0.5, 199]];
  const place = (i) => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    return [0.5, 0.5, (column - (columns - 1) / 2) * 1.2 + (row % 2) * 0.3, 0.8 + row * 1.3];
  };
  return [fixed, Array.from({ length: count }, (_, i) => place(i))];
}

/** Returns the milliseconds of each block of `size` steps. */
function time(world, size) {
  const blocks = [];
  for (let done = 0; done < STEPS; done += size) {
    const start = performance.now();
    for (let step = 0; step < size; step++) world.step();
    blocks.push(performance.now() - start);
  }
  return blocks;
}

/** Returns microseconds a step by engine and count. */
export async function measure(load, say = () => {}) {
  const makers = {};
  for (const [name, open] of Object.entries(engines)) makers[name] = await open(load);
  const table = Object.fromEntries(Object.keys(makers).map((name) => [name, []]));
  // Compilers of wasm and JavaScript replace their first code while it runs: all engines warm up before the first figure.
  for (const make of Object.values(makers)) {
    const world = make(...boxes(100));
    for (let step = 0; step < WARM_STEPS; step++) world.step();
    world.end();
  }
  for (const count of COUNTS) {
    const fastest = Object.fromEntries(Object.keys(makers).map((name) => [name, Array(STEPS / block(count)).fill(Infinity)]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, make] of Object.entries(makers)) {
        const world = make(...boxes(count));
        const blocks = time(world, block(count));
        if (!(world.height() > 0.3)) throw new Error(`${name}: a box of ${count} is at ${world.height()} m`);
        world.end();
        fastest[name] = fastest[name].map((block, i) => Math.min(block, blocks[i]));
      }
    }
    for (const name of Object.keys(makers)) table[name].push((fastest[name].reduce((sum, block) => sum + block) * 1000) / STEPS);
    say(count, Object.fromEntries(Object.keys(makers).map((name) => [name, table[name].at(-1).toFixed(1)])));
  }
  return table;
}
