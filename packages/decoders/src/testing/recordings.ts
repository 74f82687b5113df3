import type { DecodedMessage } from '../protocol.ts';

/** A protocol's notes about recordings of real trackers; the recordings may be absent. */
export interface Recordings {
  /** Where our result differs from the one that the recording expects, by number from 1, and why. */
  readonly disagreements: Readonly<Record<number, string>>;
  /** Recordings that end before their frame does. */
  readonly cutShort?: readonly number[];
  /** Where to find a hint's value, by the hint's name in lower case without its prefix. */
  readonly hints?: Readonly<Record<string, (message: DecodedMessage, value: string) => unknown>>;
}

export const noteOf = (message: DecodedMessage, name: string): unknown =>
  'attributes' in message ? message.attributes?.[name] : undefined;
