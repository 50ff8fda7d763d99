// Sliders: the parameters of a scene, or the step of a recording.

const shown = (value, step) => (step >= 1 ? String(Math.round(value)) : String(Number(value.toPrecision(3))));

/** Shows a slider for each number in a box. `change(index, value)` is called while it moves. */
export function show(box, knobs, values, change) {
  box.replaceChildren();
  knobs.forEach(({ title, low, high, step }, i) => {
    const slider = Object.assign(document.createElement("input"), { type: "range", min: low, max: high, step, value: values[i] });
    const output = document.createElement("output");
    output.textContent = shown(values[i], step);
    slider.addEventListener("input", () => {
      output.textContent = shown(slider.valueAsNumber, step);
      change(i, slider.valueAsNumber);
    });
    const label = document.createElement("label");
    const name = document.createElement("span");
    name.textContent = title;
    label.append(name, slider, output);
    box.append(label);
  });
}

/** Moves a slider without a call of `change`. */
export function move(box, index, value) {
  const label = box.children[index];
  label.querySelector("input").valueAsNumber = value;
  label.querySelector("output").textContent = shown(value, 1);
}
