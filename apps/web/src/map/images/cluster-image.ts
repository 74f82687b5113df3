import { VEHICLE_STATUSES } from '@milepost/geo';
import { shapeOf, shapeToken } from '../../ui/status-shapes.ts';
import { canvas, type DrawnImage, type Ink, PIXEL_RATIO, pixelsOf } from './ink.ts';

const RING_PX = 4;
const GAP_PX = 1.6;
const MARGIN_PX = 2;
/** The ring has this many parts: fine enough to look right, coarse enough that clusters share images. */
const PARTS = 24;

/** Radius by the number of vehicles. */
const radiusOf = (total: number): number => (total < 5 ? 16 : total < 50 ? 19 : 24);

/** A cluster's radius and each status's parts of its ring, in a fixed order. */
export interface Ring {
  readonly radius: number;
  readonly parts: readonly number[];
}

/** Converts counts to whole parts of the ring. Every status present gets at least one part, taken from the largest. */
export function ringOf(counts: readonly number[]): Ring {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const parts = counts.map(count => (count === 0 ? 0 : Math.max(1, Math.round((count / total) * PARTS))));
  let excess = parts.reduce((sum, part) => sum + part, 0) - PARTS;
  while (excess !== 0) {
    const largest = parts.indexOf(Math.max(...parts));
    parts[largest] = (parts[largest] ?? 0) - Math.sign(excess);
    excess -= Math.sign(excess);
  }
  return { radius: radiusOf(total), parts };
}

export function clusterImage({ radius, parts }: Ring, ink: Ink): DrawnImage {
  const edge = 2 * (radius + MARGIN_PX);
  const context = canvas(edge, edge);
  context.translate(edge / 2, edge / 2);

  context.fillStyle = ink('--surface');
  disc(context, radius + 1);

  const middle = radius - RING_PX / 2 - 0.5;
  const gap = parts.filter(part => part > 0).length > 1 ? GAP_PX / middle : 0;
  let at = -Math.PI / 2;
  context.lineWidth = RING_PX;
  for (const [i, part] of parts.entries()) {
    const status = VEHICLE_STATUSES[i];
    if (part === 0 || !status) continue;
    const end = at + (part / PARTS) * 2 * Math.PI;
    context.strokeStyle = ink(shapeToken(shapeOf(status)));
    // Outdated has the same color as moving, so it is dashed, as it is everywhere.
    context.setLineDash(status === 'outdated' ? [2.4, 1.7] : []);
    context.beginPath();
    context.arc(0, 0, middle, at + gap / 2, end - gap / 2);
    context.stroke();
    at = end;
  }
  return { data: pixelsOf(context), pixelRatio: PIXEL_RATIO };
}

function disc(context: OffscreenCanvasRenderingContext2D, radius: number): void {
  context.beginPath();
  context.arc(0, 0, radius, 0, 2 * Math.PI);
  context.fill();
}
