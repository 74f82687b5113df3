import { SHAPES, type ShapeName, type ShapePart, shapeToken } from '../../ui/status-shapes.ts';
import { canvas, type DrawnImage, type Ink, PIXEL_RATIO, pixelsOf } from './ink.ts';

/** Edge length in CSS pixels. An arrow must be larger than a square to look the same size. */
const SIZES: Readonly<Record<ShapeName, number>> = {
  moving: 19,
  idling: 15,
  stopped: 15,
  'outdated-moving': 19,
  'outdated-idling': 16,
  'no-gps': 17,
  offline: 15,
  private: 16,
  'no-data': 14,
};
const HALO_PX = 2.4;
const BOX = 16;

/** A status shape with a halo that sets it off from roads and other markers. */
export function markerImage(shape: ShapeName, ink: Ink): DrawnImage {
  const size = SIZES[shape];
  const edge = Math.ceil(size + 2 * HALO_PX);
  const context = canvas(edge, edge);
  const scale = size / BOX;
  context.translate((edge - size) / 2, (edge - size) / 2);
  context.scale(scale, scale);
  context.lineJoin = 'round';
  const parts = SHAPES[shape];
  const halo = ink('--m-halo');
  for (const part of parts) if (!part.ground) drawHalo(context, part, halo, HALO_PX / scale);
  for (const part of parts) drawPart(context, part, part.ground ? halo : ink(shapeToken(shape)));
  return { data: pixelsOf(context), pixelRatio: PIXEL_RATIO };
}

function drawHalo(context: OffscreenCanvasRenderingContext2D, part: ShapePart, color: string, width: number): void {
  const path = new Path2D(part.d);
  context.strokeStyle = color;
  context.fillStyle = color;
  context.lineCap = 'round';
  context.setLineDash([]);
  context.lineWidth = (part.stroke?.width ?? 0) + 2 * width;
  context.stroke(path);
  // Hollow shapes are filled too, so that nothing underneath shows through.
  context.fill(path);
}

function drawPart(context: OffscreenCanvasRenderingContext2D, part: ShapePart, color: string): void {
  const path = new Path2D(part.d);
  if (!part.stroke) {
    context.fillStyle = color;
    context.fill(path, part.fillRule ?? 'nonzero');
    return;
  }
  context.strokeStyle = color;
  context.lineWidth = part.stroke.width;
  context.lineCap = part.stroke.round ? 'round' : 'butt';
  context.setLineDash([...(part.stroke.dash ?? [])]);
  context.stroke(path);
}
