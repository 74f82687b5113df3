/** Reads the current value of a theme color such as `--st-moving`. */
export type Ink = (token: string) => string;

export interface DrawnImage {
  readonly data: ImageData;
  readonly pixelRatio: number;
  /** The parts that may be stretched and the part for the text, in pixels of the image. */
  readonly stretchX?: [number, number][];
  readonly stretchY?: [number, number][];
  readonly content?: [number, number, number, number];
}

/** Images are drawn at this density on every screen: sharp enough on the densest one and still small. */
export const PIXEL_RATIO = 2;

/** A canvas of `width` × `height` in CSS pixels. */
export function canvas(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const context = new OffscreenCanvas(width * PIXEL_RATIO, height * PIXEL_RATIO).getContext('2d');
  if (!context) throw new Error('This browser cannot draw map images: it gives no 2D canvas.');
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  return context;
}

export const pixelsOf = (context: OffscreenCanvasRenderingContext2D): ImageData =>
  context.getImageData(0, 0, context.canvas.width, context.canvas.height);
