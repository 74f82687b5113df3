import { z } from 'zod';
import { issue } from '../issue.ts';
import { defineRoute, fileAnswerSchema } from '../route.ts';

const TAG = 'Images';

export const IMAGE_MAX_BYTES = 2 * 1024 * 1024;
export const IMAGE_MAX_PIXELS = 4000;
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** Names are assigned by the server: 128 random bits, never the name of the uploaded file. */
export const imageNameSchema = z.string().regex(/^[0-9a-f]{32}\.webp$/, issue('no-image'));

export const readImage = defineRoute({
  method: 'GET',
  path: '/api/v1/uploaded-img/{file}',
  access: 'public',
  summary: "Read an image. Logos and splash images are public; a user's picture needs a session of the same account",
  tag: TAG,
  params: z.object({ file: imageNameSchema }),
  response: fileAnswerSchema,
  responseType: 'image/*',
  problems: ['not-found'],
});

export const updateMyImage = defineRoute({
  method: 'PATCH',
  path: '/api/v1/user_image',
  access: 'profile.write',
  summary: 'Set your picture: PNG, JPEG or WebP. It is re-encoded, which removes camera data',
  tag: TAG,
  body: z.strictObject({
    file: z.file(issue('image')).max(IMAGE_MAX_BYTES, issue('image-file', { limitBytes: IMAGE_MAX_BYTES })),
  }),
  bodyType: 'multipart/form-data',
  response: z.object({ image: z.string() }),
  problems: ['not-an-image', 'payload-too-large', 'unsupported-media-type'],
});

export const deleteMyImage = defineRoute({
  method: 'DELETE',
  path: '/api/v1/user_image',
  access: 'profile.write',
  summary: 'Remove your picture',
  tag: TAG,
  response: z.object({ ok: z.literal(true) }),
});
