import { TASK_PHOTO_MAX_BYTES } from '@milepost/contract';

/** The size that the server stores. A larger photo would only take longer to send. */
const MOST_PIXELS = 1600;
const QUALITY = 0.85;

/**
 * A camera's photo reduced to a useful size; the photo itself if this browser can't reduce it. Null if it is no photo
 * that this phone can read, or is too large to be sent: the server would refuse it, perhaps hours later.
 */
export async function shrinkPhoto(photo: Blob): Promise<Blob | null> {
  try {
    const bitmap = await createImageBitmap(photo, { imageOrientation: 'from-image' });
    const scale = Math.min(1, MOST_PIXELS / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    const shrunk = await new Promise<Blob | null>(done => canvas.toBlob(done, 'image/jpeg', QUALITY));
    return sendable(shrunk && shrunk.size < photo.size ? shrunk : photo);
  } catch {
    return (await isPicture(photo)) ? sendable(photo) : null;
  }
}

const sendable = (photo: Blob): Blob | null => (photo.size <= TASK_PHOTO_MAX_BYTES ? photo : null);

async function isPicture(photo: Blob): Promise<boolean> {
  const image = new Image();
  image.src = URL.createObjectURL(photo);
  try {
    await image.decode();
    return true;
  } catch {
    return false;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
