import type { World } from "./full.classes.js";

/**
 * A world with its last frames. Predict the inputs of other players; when the true ones arrive, set them and repeat the frames since.
 * `step` makes a frame: it applies the input and steps the world, always in the same way.
 */
export class Rollback<Input> {
  /** Starts at frame 0, and keeps the last `frames` frames. */
  constructor(world: World, frames: number);
  /** The world, as it is after the last frame. */
  readonly world: World;
  readonly nextFrame: number;
  /** The oldest frame that can be repeated. */
  readonly oldestFrame: number;
  /** The input of a frame, or undefined if it is too old or to come. */
  input(frame: number): Input | undefined;
  /** Makes the next frame. If `step` throws, the world is as before. */
  advance(input: Input, step: (world: World, input: Input) => void): void;
  /** Replaces the input of a frame. Throws if it cannot be repeated any more. */
  setInput(frame: number, input: Input): void;
  /** Repeats the frames since the first one whose input was replaced; returns their number. */
  repeat(step: (world: World, input: Input) => void): number;
  /** Frees the kept frames, but not the world. */
  free(): void;
}
