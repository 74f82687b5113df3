import type { Alert } from '@milepost/contract';
import { PAYLOAD_BYTES } from './encrypt.ts';

/** What a browser is to show, and how the push service is to treat it. */
export interface Message {
  readonly body: Buffer;
  readonly ttlS: number;
  readonly isUrgent: boolean;
  /** The alert that it tells of; null if it names none. */
  readonly alert: Alert | null;
}

/** Not now: with others in the user’s digest, or as it is once quiet hours are over. */
export interface Later {
  readonly later: 'digest' | 'itself';
  readonly at: Date;
}

const TITLE_CHARACTERS = 150;
const BODY_CHARACTERS = 400;

/** Null if it would be too long for a push service. */
export function bodyOf(
  { body, title }: { readonly title: string; readonly body: string },
  tag: string,
  path: string,
): Buffer | null {
  const shown = { title: title.slice(0, TITLE_CHARACTERS), body: body.slice(0, BODY_CHARACTERS), tag, path };
  const message = Buffer.from(JSON.stringify(shown));
  return message.length <= PAYLOAD_BYTES ? message : null;
}
