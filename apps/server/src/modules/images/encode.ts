import { IMAGE_MAX_BYTES, IMAGE_MAX_PIXELS } from '@milepost/contract';
import sharp from 'sharp';
import { type AppError, fieldProblem } from '../../app-error.ts';

/** What an image is for, and the size needed for it. */
const SIZES = {
  user: { width: 256, height: 256, fit: 'cover' },
  logo: { width: 512, height: 512, fit: 'inside' },
  splash: { width: 1920, height: 1920, fit: 'inside' },
  /** A photo of a phone’s camera, which may have fifty million pixels. */
  proof: { width: 1600, height: 1600, fit: 'inside' },
} as const;
type Size = keyof typeof SIZES;
export type ImageKind = Exclude<Size, 'proof'>;
/** Pixels of a side. */
const MOST: Readonly<Partial<Record<Size, number>>> = { proof: 9000 };

// Only these formats are decoded: no SVG, no PDF, nothing unusual.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadWebpBuffer'],
});
// One image at a time, so that positions have priority.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Decodes a PNG, JPEG or WebP and encodes it as WebP. This removes metadata (place, owner, thumbnail) and anything
 * else in the file (ASVS 5.0 5.2.2). The file's declared type is ignored.
 */
export async function encodeImage(file: Blob, kind: Size): Promise<Buffer> {
  const most = MOST[kind] ?? IMAGE_MAX_PIXELS;
  const bytes = Buffer.from(await file.arrayBuffer());
  if (!isPicture(bytes)) throw notAnImage();
  try {
    const image = sharp(bytes, { limitInputPixels: Math.min(most ** 2, 60_000_000), failOn: 'error' });
    const { width, height } = await image.metadata();
    if (width > most || height > most) throw notAnImage();
    return await image
      .autoOrient()
      .resize({ ...SIZES[kind], withoutEnlargement: true })
      .webp({ quality: 85 })
      .toBuffer();
  } catch {
    throw notAnImage();
  }
}

/** The first bytes of PNG (W3C PNG 5.2), JPEG (ITU-T T.81 B.1.1.3) and WebP (RFC 9649 section 2.4). */
function isPicture(bytes: Buffer): boolean {
  const begins = (hex: string, at = 0) => bytes.subarray(at, at + hex.length / 2).equals(Buffer.from(hex, 'hex'));
  return (
    begins('89504e470d0a1a0a') ||
    begins('ffd8ff') ||
    (begins(Buffer.from('RIFF').toString('hex')) && begins(Buffer.from('WEBP').toString('hex'), 8))
  );
}

const notAnImage = (): AppError =>
  fieldProblem('file', 'not-an-image', { limitBytes: IMAGE_MAX_BYTES, pixels: IMAGE_MAX_PIXELS });
