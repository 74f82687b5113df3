import type { Locator } from 'playwright-core';

export interface Spot {
  readonly x: number;
  readonly y: number;
  /** The number of pixels with the color. */
  readonly count: number;
}

/** Where a color is in an element's rendering, in CSS pixels: the center of all its pixels. */
export async function middleOfColour(shown: Locator, colour: readonly [number, number, number]): Promise<Spot> {
  const png = await shown.screenshot();
  return shown.page().evaluate(
    async ({ base64, wanted, scale }) => {
      const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
      if (!context) throw new Error('No canvas');
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      let [sumX, sumY, count] = [0, 0, 0];
      for (let i = 0; i < data.length; i += 4) {
        if (wanted.some((value, channel) => Math.abs((data[i + channel] ?? 0) - value) > 6)) continue;
        sumX += (i / 4) % image.width;
        sumY += Math.floor(i / 4 / image.width);
        count++;
      }
      return { x: sumX / count / scale, y: sumY / count / scale, count };
    },
    { base64: png.toString('base64'), wanted: colour, scale: await shown.page().evaluate(() => devicePixelRatio) },
  );
}
