// Rollback: the last frames of a world, which are repeated when an input arrives late.
export class Rollback {
  #world;
  #most;
  /** The frames that can be repeated, oldest first: the world before each, and its input. */
  #frames = [];
  #next = 0;
  /** First frame whose input changed since it was made. */
  #changed = Infinity;

  constructor(world, frames) {
    if (!Number.isInteger(frames) || frames < 1) throw refused("frames", frames, "is not a whole number from 1");
    this.#world = world;
    this.#most = frames;
  }

  get world() {
    return this.#world;
  }

  get nextFrame() {
    return this.#next;
  }

  get oldestFrame() {
    return this.#next - this.#frames.length;
  }

  input(frame) {
    return this.#frames[frame - this.oldestFrame]?.input;
  }

  advance(input, step) {
    const full = this.#frames.length === this.#most;
    const before = full ? this.#frames[0].before : this.#world.clone();
    if (full) {
      before.restore(this.#world);
      this.#frames.shift();
    }
    this.#frames.push({ before, input });
    this.#next++;
    try {
      step(this.#world, input);
    } catch (error) {
      // As if the frame had not been begun.
      this.#world.restore(before);
      this.#frames.pop();
      this.#next--;
      throw error;
    }
  }

  setInput(frame, input) {
    const entry = this.#frames[frame - this.oldestFrame];
    if (!entry) throw refused("frame", frame, `is not among the frames ${this.oldestFrame} to ${this.#next - 1} that can be repeated`);
    entry.input = input;
    this.#changed = Math.min(this.#changed, frame);
  }

  repeat(step) {
    const first = Math.max(this.#changed, this.oldestFrame) - this.oldestFrame;
    const late = this.#frames.slice(first);
    late.forEach(({ before, input }, i) => {
      if (i === 0) this.#world.restore(before);
      else before.restore(this.#world);
      step(this.#world, input);
    });
    // Only now: after an exception of `step`, the frames can be repeated again.
    this.#changed = Infinity;
    return late.length;
  }

  free() {
    for (const { before } of this.#frames) before.free();
    this.#frames = [];
  }
}

function refused(argument, value, reason) {
  const error = new Error(`${argument} is ${value}, which ${reason}`);
  return Object.assign(error, { name: "CairnError", argument, value });
}
