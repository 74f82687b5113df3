import { tracksIn, unpackColumns } from '@milepost/track';

/** What a tracker measures besides its position, named as the track's columns. */
const COLUMNS = ['altitude', 'odometer', 'fuel', 'temperature', 'hdop', 'satellites', 'gsm'] as const;

/** A vehicle's measurements in time order, including those whose position was in doubt. */
export interface Measures {
  /** Milliseconds since 1970. */
  readonly timeMs: Float64Array;
  /**
   * Values by name: columns in SI units, then attributes as the tracker sends them. NaN where the tracker sent none;
   * fields that it never sent are missing.
   */
  readonly fields: ReadonlyMap<string, Float32Array>;
  /** The driver's card as an index into `cards`; -1 for none. */
  readonly card: Int16Array;
  readonly cards: readonly string[];
}

/** Fields beyond this number are ignored: no tracker measures more. */
const MAX_FIELDS = 64;

/** Unpacks the measurements in a track file. Throws `DamagedTrack`. */
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
