import { z } from 'zod';

/** Columns that the rows of many tables have, as a file has them. */

export const id = z.int().positive();
export const uuid = z.uuid();
export const moment = z.iso.datetime({ offset: true });
/** When a row was made or changed. Files from elsewhere don't say; none can be made later than now. */
export const past = moment
  .optional()
  .transform(at => (at !== undefined && Date.parse(at) > Date.now() ? new Date().toISOString() : at));
/** Who made or changed it; null for a user who was deleted. */
export const author = uuid.nullable().default(null);
export const line = (most: number) => z.string().max(most);
/** SHA-256 as the database writes bytes. */
export const sha256 = z.string().regex(/^\\x[0-9a-f]{64}$/);
