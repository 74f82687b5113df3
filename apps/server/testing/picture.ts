import sharp from 'sharp';

/** A small picture like a camera's, with a place and an owner in its metadata. */
export async function testPicture(format: 'png' | 'jpeg' | 'webp', width = 40, height = 30): Promise<Blob> {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#26a69a' } })
    .withExif({
      IFD0: { Copyright: 'Ann Novak', Make: 'A camera' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '41/1 52/1 0/1' },
    })
    .toFormat(format)
    .toBuffer();
  return new Blob([new Uint8Array(bytes)], { type: `image/${format}` });
}
