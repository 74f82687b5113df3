import { BinaryFields } from './binary-fields.ts';

/** Object identifiers of the element types, from `pg_type.dat`; they never change. */
const OID = {
  bool: 16,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  float4: 700,
  float8: 701,
  timestamptz: 1184,
  jsonb: 3802,
} as const;
export type ElementType = keyof typeof OID;

/** Dimensions, whether there are nulls, element type, length, lower bound. */
const HEADER_BYTES = 20;

/** A one-dimensional array as `array_send` of PostgreSQL writes it. `pg` sends a Buffer as a binary parameter. */
export class ArrayParameter extends BinaryFields {
  readonly #type: ElementType;

  constructor(type: ElementType) {
    super(HEADER_BYTES);
    this.#type = type;
  }

  finish(): Buffer {
    const { bytes } = this;
    bytes.writeInt32BE(1, 0);
    bytes.writeInt32BE(this.hasNulls ? 1 : 0, 4);
    bytes.writeInt32BE(OID[this.#type], 8);
    bytes.writeInt32BE(this.count, 12);
    bytes.writeInt32BE(1, 16);
    return bytes;
  }
}
