import { hex, type Reader } from '../bytes.ts';

/**
 * LM Direct Reference Guide, "Options Header" and "Message Header". The first byte has its highest bit set if there are
 * options; each of its lower bits announces one option, in order, each preceded by its length.
 */
const OPTIONS = 0x80;
export const MOBILE_ID = 0x01;
export const MOBILE_ID_TYPE = 0x02;
const OPTION_BITS = 7;

export const SERVICE = { unacknowledged: 0, acknowledged: 1, response: 2 } as const;

export interface Header {
  /** The tracker's ID; null if not sent. */
  readonly identity: string | null;
  readonly service: number;
  readonly type: number;
  readonly sequence: number;
}

/** Reads up to the message; null if there is none. */
export function readHeader(reader: Reader): Header | null {
  let identity: string | null = null;
  const first = reader.u8();
  let service = first;
  if (first & OPTIONS) {
    for (let bit = 0; bit < OPTION_BITS; bit++) {
      if ((first & (1 << bit)) === 0) continue;
      const option = reader.take8(reader.u8());
      if (1 << bit === MOBILE_ID) identity = identityOf(option);
    }
    service = reader.u8();
  }
  const type = reader.u8();
  const sequence = reader.u16();
  return reader.overrun ? null : { identity, service, type, sequence };
}

/** Packed digits, padded with F: an ESN has ten, an IMEI fifteen. */
function identityOf(bytes: Uint8Array): string | null {
  const digits = hex(bytes).replace(/F+$/, '');
  return digits === '' ? null : digits;
}
