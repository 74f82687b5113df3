import { hexNumber } from './place.ts';

/** Fields of a universal protocol report, by their bit in the report map, which may leave some out. */
export const FIELD = {
  model: 1,
  firmware: 2,
  /** 0: from memory. */
  sent: 3,
  date: 4,
  clock: 5,
  cell: 6,
  mcc: 7,
  mnc: 8,
  lac: 9,
  level: 10,
  lat: 11,
  lon: 12,
  speed: 13,
  course: 14,
  satellites: 15,
  fix: 16,
  inputs: 17,
  outputs: 18,
  /** Mode of a status, or alert. */
  reason: 19,
  /** Type of a status, or modifier of an alert. */
  kind: 20,
  /** Number of a status, or data of an alert. */
  data: 21,
  reserved: 22,
} as const;
export const ASSIGN_MAP = 1 << 23;

const MAP_AT = 2;
const ALL = 0x3f_ffff;

export interface UniversalFields {
  readonly get: (bit: number) => string | undefined;
  /** The index of each bit's field. */
  readonly at: ReadonlyMap<number, number>;
  /** The fields that the map requests after those with a bit. */
  readonly assigned: readonly string[];
  readonly map: number;
}

/** `latAt` is where the latitude was found; a map that disagrees is ignored. */
export function universalFields(fields: readonly string[], latAt: number): UniversalFields {
  const map = hexNumber(fields[MAP_AT]) ?? 0;
  const mapped = placed(fields, map, MAP_AT + 1);
  if (latAt < 0 || mapped.at.get(FIELD.lat) === latAt) return mapped;
  return placed(fields, ALL, latAt - (FIELD.lat - FIELD.model));
}

function placed(fields: readonly string[], map: number, first: number): UniversalFields {
  const at = new Map<number, number>();
  let next = first;
  for (let bit = FIELD.model; bit <= FIELD.reserved; bit++) if (map & (1 << bit)) at.set(bit, next++);
  return { get: bit => fields[at.get(bit) ?? -1], assigned: fields.slice(next), map, at };
}
