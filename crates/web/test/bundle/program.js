// What the bundled programs do: a box falls, and the hash of the end is the answer.
export function fall({ World }) {
  const world = new World({ gravity: [0, -10] });
  const ground = world.createBody({ type: "static", position: [0, -1] });
  world.createShape(ground, { type: "box", halfWidth: 20, halfHeight: 1 });
  const box = world.createBody({ position: [0, 4], angle: 0.3 });
  world.createShape(box, { type: "box", halfWidth: 0.5, halfHeight: 0.5 });
  for (let i = 0; i < 60; i++) world.step(1 / 60);
  return world.stateHash();
}

export function tell(answer) {
  globalThis.answer = answer;
  if (typeof document === "undefined") console.log(answer);
}
