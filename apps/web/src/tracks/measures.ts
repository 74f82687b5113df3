import { tracksIn, unpackColumns } from '@milepost/track';

/** What a tracker measures beside its position, by the names of the track's columns. */
const COLUMNS = ['altitude', 'odometer', 'fuel', 'temperature', 'hdop', 'satellites', 'gsm'] as const;

/** What a vehicle measured, in the order of time; also where its position was in doubt. */
export interface Measures {
  /** Milliseconds since 1970. */
  readonly timeMs: Float64Array;
  /**
   * By name: columns in SI units, then attributes as the tracker sends them. Not a number where it said nothing; what
   * it never said is missing.
   */
  readonly fields: ReadonlyMap<string, Float32Array>;
  /** The driver's card as an index of `cards`; -1: none. */
  readonly card: Int16Array;
  readonly cards: readonly string[];
}

/** More fields are noise, or not of a tracker. */
const MAX_FIELDS = 64;

/** Throws `DamagedTrack`. */
export function unpackMeasures(file: Uint8Array): Measures {
  const parts = tracksIn(file).map(track => unpackColumns(track, ['fixAt', ...COLUMNS, 'rfid', 'attributes']));
  const count = parts.reduce((sum, { fixAt }) => sum + fixAt.length, 0);
  const timeMs = new Float64Array(count);
  const card = new Int16Array(count).fill(-1);
  const cards = new Map<string, number>();
  const fields = new Map<string, Float32Array>();
  const write = (name: string, at: number, value: unknown): void => {
    const number = typeof value === 'boolean' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) return;
    let field = fields.get(name);
    if (!field) {
      if (fields.size >= MAX_FIELDS) return;
      field = new Float32Array(count).fill(Number.NaN);
      fields.set(name, field);
    }
    field[at] = number;
  };
  let next = 0;
  for (const part of parts) {
    for (const [i, at] of part.fixAt.entries()) {
      timeMs[next] = at;
      for (const name of COLUMNS) write(name, next, part[name][i]);
      for (const [name, value] of Object.entries(part.attributes[i] ?? {})) write(name, next, value);
      const rfid = part.rfid[i];
      if (typeof rfid === 'string') {
        const known = cards.get(rfid) ?? cards.size;
        cards.set(rfid, known);
        card[next] = known;
      }
      next++;
    }
  }
  return { timeMs, fields, card, cards: [...cards.keys()] };
}
