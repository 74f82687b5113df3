import { createHash } from 'node:crypto';

/** A weak tag, for an answer may be compressed in more than one way (RFC 9110 section 8.8.3). */
export const weakTag = (body: string): string =>
  `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;

/** Whether the caller has the answer with this tag. */
export const isKnown = (tag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch?.split(',').some(each => each.trim() === tag || each.trim() === '*') ?? false;
