import { ascii, hex, isText } from './bytes.ts';
import type { Decoded, DecodedMessage, DecodeErrorCode } from './protocol.ts';

/** An invalid frame: nothing is decoded, and the device gets no answer. */
export const errorIn = (code: DecodeErrorCode, at: number): Decoded => silent([{ kind: 'error', code, at }]);

const MOST_BYTES = 512;

/**
 * A frame from a known tracker, with a valid checksum if the protocol has one, whose content is not known or does not
 * fit: kept as sent, with the reason in `unread`. `type` is the maker's word or number for it.
 */
export const unread = (code: DecodeErrorCode, type: string | number, content: Uint8Array): DecodedMessage => {
  const kept = content.subarray(0, MOST_BYTES);
  return {
    kind: 'status',
    time: null,
    event: null,
    attributes: {
      unread: code,
      messageType: type,
      ...(kept.length === 0 ? {} : { data: isText(kept) ? ascii(kept) : hex(kept) }),
    },
  };
};

/** A frame that needs no answer. */
export const silent = (messages: readonly DecodedMessage[]): Decoded => ({
  messages,
  acknowledgement: null,
  refusal: null,
});
