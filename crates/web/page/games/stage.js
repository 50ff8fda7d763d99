// What the games share: a canvas with a camera, steps of one length, keys and buttons for fingers.
export const STEP = 1 / 60;

/** Most steps of a frame: a tab that was hidden does not catch up. */
const MOST_STEPS = 3;

/** Keys that are down, by `KeyboardEvent.code`. */
export const keys = new Set();

const canvas = document.querySelector("canvas");
const context = canvas.getContext("2d");
export const camera = { x: 0, y: 0, height: 12 };
const scale = () => canvas.clientHeight / camera.height;

/** Sets how much of the world is in view at least [m], whatever the shape of the screen. */
export function show(width, height) {
  camera.height = Math.max(height, (width * canvas.clientHeight) / canvas.clientWidth);
}

/** Place of the world under a pointer [m]. */
export function toWorld(event) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  return [camera.x + (event.clientX - left - width / 2) / scale(), camera.y - (event.clientY - top - height / 2) / scale()];
}

addEventListener("keydown", (event) => {
  if (event.target.closest("a")) return;
  keys.add(event.code);
  if (event.code.startsWith("Arrow") || event.code === "Space") event.preventDefault();
});
addEventListener("keyup", (event) => keys.delete(event.code));
addEventListener("blur", () => keys.clear());
for (const button of document.querySelectorAll("[data-key]")) {
  const { key } = button.dataset;
  button.addEventListener("pointerdown", (event) => {
    // Else a browser sends the finger's later events to where it moves.
    button.setPointerCapture(event.pointerId);
    keys.add(key);
  });
  for (const end of ["pointerup", "pointercancel"]) button.addEventListener(end, () => keys.delete(key));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Shows a line of text above the scene. */
export function say(text) {
  document.querySelector("output").textContent = text;
}

/** Draws a body: shapes are {color, radius, center} or {color, points}. */
export function draw({ x, y, angle }, shapes) {
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  for (const { color, radius, center: [cx, cy] = [0, 0], points } of shapes) {
    context.fillStyle = color;
    context.beginPath();
    if (points) points.forEach(([px, py]) => context.lineTo(px, py));
    else context.arc(cx, cy, radius, 0, 2 * Math.PI);
    context.fill();
  }
  context.restore();
}

/** Draws a line through points. */
export function line(points, color, width) {
  Object.assign(context, { strokeStyle: color, lineWidth: width, lineJoin: "round", lineCap: "round" });
  context.beginPath();
  points.forEach(([x, y]) => context.lineTo(x, y));
  context.stroke();
}

/** Corners of a box. */
export const corners = (halfWidth, halfHeight, [x, y] = [0, 0]) =>
  [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([right, up]) => [x + right * halfWidth, y + up * halfHeight]);

/** Runs a game: `step` with each step, and `paint` with each frame, in coordinates of the world. */
export function run(step, paint) {
  let [last, owed] = [performance.now(), 0];
  const frame = (now) => {
    owed = Math.min(owed + (now - last) / 1000, MOST_STEPS * STEP);
    last = now;
    for (; owed >= STEP; owed -= STEP) step();
    const ratio = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((pixels) => Math.round(pixels * ratio));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    const pixels = ratio * scale();
    context.setTransform(pixels, 0, 0, -pixels, width / 2 - camera.x * pixels, height / 2 + camera.y * pixels);
    paint();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
