import type { DecodedMessage } from '../protocol.ts';

/** What a protocol's folder says about recordings of real trackers, which may stand beside the checkout. */
export interface Recordings {
  /** Where we answer otherwise than the recording expects, by number from 1, and why. */
  readonly disagreements: Readonly<Record<number, string>>;
  /** Recordings that end before their frame does. */
  readonly cutShort?: readonly number[];
  /** Where the value of a hint stands here, by the hint's name in lower case without its prefix. */
  readonly hints?: Readonly<Record<string, (message: DecodedMessage, value: string) => unknown>>;
}

export const noteOf = (message: DecodedMessage, name: string): unknown =>
  'attributes' in message ? message.attributes?.[name] : undefined;
