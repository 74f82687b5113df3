import type { Decoded, DecodedMessage, DecodeErrorCode } from './protocol.ts';

/** A frame that is not right: nothing is taken from it, and the device hears nothing. */
export const errorIn = (code: DecodeErrorCode, at: number): Decoded => silent([{ kind: 'error', code, at }]);

/** A frame that wants no answer. */
export const silent = (messages: readonly DecodedMessage[]): Decoded => ({
  messages,
  acknowledgement: null,
  refusal: null,
});
