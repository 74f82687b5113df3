import { canvas, type DrawnImage, type Ink, PIXEL_RATIO, pixelsOf } from './ink.ts';

const EDGE = 18;
const CORNER = 3;
const TOP_EDGE = 2;

const r = PIXEL_RATIO;

/** The part of a plate that stretches to fit its text: everything but the corners and the colored top edge. */
const STRETCH: Pick<DrawnImage, 'pixelRatio' | 'stretchX' | 'stretchY' | 'content'> = {
  pixelRatio: r,
  stretchX: [[(CORNER + 1) * r, (EDGE - CORNER - 1) * r]],
  stretchY: [[(CORNER + TOP_EDGE) * r, (EDGE - CORNER - 1) * r]],
  content: [0, 0, EDGE * r, EDGE * r],
};

/** The plate behind a vehicle's label, as in the list. The current vehicle's plate is all teal. */
export function plateImage(current: boolean, ink: Ink): DrawnImage {
  const context = canvas(EDGE, EDGE);
  const box = new Path2D();
  box.roundRect(0.5, 0.5, EDGE - 1, EDGE - 1, CORNER);
  context.fillStyle = ink(current ? '--brand2' : '--surface');
  context.fill(box);
  if (!current) {
    context.save();
    context.clip(box);
    context.fillStyle = ink('--brand2-mark');
    context.fillRect(0, 0, EDGE, TOP_EDGE + 0.5);
    context.restore();
  }
  context.strokeStyle = ink(current ? '--brand2' : '--line-strong');
  context.stroke(box);
  return { data: pixelsOf(context), ...STRETCH };
}

/** A road shield without a number. The map stretches it to fit the number. */
export function shieldImage(ink: Ink): DrawnImage {
  const context = canvas(EDGE, EDGE);
  const box = new Path2D();
  box.roundRect(0, 0, EDGE, EDGE, CORNER);
  context.fillStyle = ink('--m-shield');
  context.fill(box);
  return { data: pixelsOf(context), ...STRETCH };
}
