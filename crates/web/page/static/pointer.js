// Mouse and touch: dragging bodies and the view, zooming by wheel and by two fingers.

/** Factor of zoom for a notch of the wheel of 100 px. */
const WHEEL = 1.2;

/** Calls `hand` for what the pointers do: grab, pull, release, pan and zoom, in pixels of the canvas. */
export function listen(canvas, hand) {
  const pointers = new Map();
  let mode = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const span = () => {
    const [[ax, ay], [bx, by]] = [...pointers.values()];
    return { length: Math.hypot(bx - ax, by - ay), x: (ax + bx) / 2, y: (ay + by) / 2 };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, place(event));
    if (pointers.size === 1) mode = event.button === 0 && hand.grab(...place(event)) ? "pull" : "pan";
    else {
      if (mode === "pull") hand.release();
      mode = "pinch";
    }
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (mode === "pinch" && pointers.size === 2) {
      const old = span();
      pointers.set(event.pointerId, now);
      const next = span();
      hand.pan(next.x - old.x, next.y - old.y);
      hand.zoom(next.length / Math.max(old.length, 1), next.x, next.y);
      return;
    }
    pointers.set(event.pointerId, now);
    if (mode === "pull") hand.pull(...now);
    if (mode === "pan") hand.pan(now[0] - before[0], now[1] - before[1]);
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    if (mode === "pull") hand.release();
    mode = pointers.size > 0 ? "pan" : null;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      hand.zoom(WHEEL ** (-event.deltaY / 100), ...place(event));
    },
    { passive: false },
  );
}
