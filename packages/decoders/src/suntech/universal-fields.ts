import { hexNumber, isAngle, type Place } from './place.ts';

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
const BESIDE = FIELD.lon;
const BEHIND = FIELD.data;

export interface UniversalFields {
  readonly get: (bit: number) => string | undefined;
  /** The index of each bit's field. */
  readonly at: ReadonlyMap<number, number>;
  /** The fields that the map requests after those with a bit. */
  readonly assigned: readonly string[];
  readonly map: number;
}

/**
 * A map that disagrees with where the place was found is ignored: all fields are taken to be there. Those before the
 * place are not if its date is elsewhere, nor those behind it if another place follows.
 */
export function universalFields(
  fields: readonly string[],
  place: Pick<Place, 'at' | 'dateAt'> | null,
): UniversalFields {
  const map = hexNumber(fields[MAP_AT]) ?? 0;
  const mapped = placed(fields, map, MAP_AT + 1);
  if (place === null || mapped.at.get(FIELD.lat) === place.at) return mapped;
  const all = placed(fields, ALL, place.at - (FIELD.lat - FIELD.model));
  if (all.at.get(FIELD.date) === place.dateAt) return all;
  const known = isAngle(fields[place.at + 2] ?? '') ? BESIDE : BEHIND;
  const at = new Map([...all.at].filter(([bit]) => bit >= FIELD.lat && bit <= known));
  return { get: bit => fields[at.get(bit) ?? -1], assigned: [], map: 0, at };
}

function placed(fields: readonly string[], map: number, first: number): UniversalFields {
  const at = new Map<number, number>();
  let next = first;
  for (let bit = FIELD.model; bit <= FIELD.reserved; bit++) if (map & (1 << bit)) at.set(bit, next++);
  return { get: bit => fields[at.get(bit) ?? -1], assigned: fields.slice(next), map, at };
}
