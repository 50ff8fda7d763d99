// Times the engines in turn, several rounds each, and keeps the fastest of each: other programs only add time.
import { engines } from "./engines.mjs";

export const COUNTS = [10, 50, 200, 1000];
const STEPS = 180;
const ROUNDS = 4;
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
    const times = Object.fromEntries(Object.keys(makers).map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, make] of Object.entries(makers)) {
        const world = make(...boxes(count));
        const start = performance.now();
        for (let step = 0; step < STEPS; step++) world.step();
        const time = ((performance.now() - start) * 1000) / STEPS;
        if (!(world.height() > 0.3)) throw new Error(`${name}: a box of ${count} is at ${world.height()} m`);
        world.end();
        times[name].push(time);
      }
    }
    for (const name of Object.keys(makers)) table[name].push(Math.min(...times[name]));
    say(count, Object.fromEntries(Object.keys(makers).map((name) => [name, table[name].at(-1).toFixed(1)])));
  }
  return table;
}
