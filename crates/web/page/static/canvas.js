// Paints the commands of the pen (see pen.rs) on a canvas.

const color = (number, opacity) => `rgb(${number >> 16} ${(number >> 8) & 255} ${number & 255} / ${opacity})`;

const FONT = "12px system-ui, sans-serif";

/** Paints commands and returns their number. */
export function paint(context, commands, texts) {
  context.lineJoin = "round";
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.font = FONT;
  let painted = 0;
  for (let at = 0; at < commands.length; painted++) {
    const kind = commands[at];
    if (kind === 0) {
      const count = commands[at + 1];
      context.beginPath();
      for (let i = 0, corner = at + 8; i < count; i++, corner += 2) context.lineTo(commands[corner], commands[corner + 1]);
      context.closePath();
      if (commands[at + 3] > 0) {
        context.fillStyle = color(commands[at + 2], commands[at + 3]);
        context.fill();
      }
      stroke(context, commands[at + 4], commands[at + 5], commands[at + 6], commands[at + 7]);
      at += 8 + 2 * count;
    } else if (kind === 1) {
      context.beginPath();
      context.moveTo(commands[at + 5], commands[at + 6]);
      context.lineTo(commands[at + 7], commands[at + 8]);
      stroke(context, commands[at + 1], commands[at + 2], commands[at + 3], commands[at + 4]);
      at += 9;
    } else if (kind === 2) {
      context.beginPath();
      context.arc(commands[at + 4], commands[at + 5], 0.5 * commands[at + 3], 0, 2 * Math.PI);
      context.fillStyle = color(commands[at + 1], commands[at + 2]);
      context.fill();
      at += 6;
    } else {
      context.fillStyle = color(commands[at + 1], commands[at + 2]);
      context.fillText(texts[commands[at + 3]], commands[at + 4], commands[at + 5]);
      at += 6;
    }
  }
  return painted;
}

function stroke(context, line, opacity, width, dash) {
  if (opacity === 0 || width === 0) return;
  context.strokeStyle = color(line, opacity);
  context.lineWidth = width;
  context.setLineDash(dash > 0 ? [dash, dash] : []);
  context.stroke();
}
