// Arrow keys, and buttons for fingers in their place.

const down = new Set();

/** The keys that are down: to the right from -1 to 1, up and down. */
export const steering = () => [down.has("ArrowRight") - down.has("ArrowLeft"), down.has("ArrowUp"), down.has("ArrowDown")];

/** Whether any key is down. */
export const isSteering = () => down.size > 0;

/** Listens to the arrow keys, except in lists and sliders, and to the buttons in a box. `isOn()` says whether there is anything to steer. */
export function listenToKeys(box, isOn) {
  addEventListener("keydown", (event) => {
    if (!event.key.startsWith("Arrow") || !isOn() || event.target.matches("select, input")) return;
    down.add(event.key);
    event.preventDefault();
  });
  addEventListener("keyup", (event) => down.delete(event.key));
  addEventListener("blur", () => down.clear());
  for (const button of box.querySelectorAll("[data-key]")) {
    const { key } = button.dataset;
    button.addEventListener("pointerdown", (event) => {
      // Else a browser sends the finger's later events to where it moves.
      button.setPointerCapture(event.pointerId);
      down.add(key);
    });
    for (const end of ["pointerup", "pointercancel"]) button.addEventListener(end, () => down.delete(key));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }
}
