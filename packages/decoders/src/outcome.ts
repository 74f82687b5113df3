import type { Decoded, DecodedMessage, DecodeErrorCode } from './protocol.ts';

/** An invalid frame: nothing is decoded, and the device gets no answer. */
export const errorIn = (code: DecodeErrorCode, at: number): Decoded => silent([{ kind: 'error', code, at }]);

/** A frame that needs no answer. */
export const silent = (messages: readonly DecodedMessage[]): Decoded => ({
  messages,
  acknowledgement: null,
  refusal: null,
});
