/** The square cut out of a picture: its center in the picture's own pixels, and its zoom. */
export interface Crop {
  readonly x: number;
  readonly y: number;
  /** 1: the largest square that fits. */
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const MAX_ZOOM = 4;

/** The largest square, in the center. */
export const wholeOf = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 });

/** Side of the square in the picture's pixels. */
export const sideOf = ({ width, height }: Size, { zoom }: Crop): number => Math.min(width, height) / zoom;

/** The same square, moved so that it is inside the picture. */
export function inside(size: Size, crop: Crop): Crop {
  const zoom = Math.max(1, Math.min(MAX_ZOOM, crop.zoom));
  const half = sideOf(size, { ...crop, zoom }) / 2;
  const keep = (at: number, length: number) => Math.max(half, Math.min(length - half, at));
  return { x: keep(crop.x, size.width), y: keep(crop.y, size.height), zoom };
}
