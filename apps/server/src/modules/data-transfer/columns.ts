import { z } from 'zod';

/** Columns that the rows of many tables have, as a file has them. */

export const id = z.int().positive();
export const uuid = z.uuid();
export const moment = z.iso.datetime({ offset: true });
export const line = (most: number) => z.string().max(most);
/** SHA-256 as the database writes bytes. */
export const sha256 = z.string().regex(/^\\x[0-9a-f]{64}$/);
