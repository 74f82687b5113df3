import type { LineWriter } from './line-writer.ts';
import { QUARTER_MS, wallTime } from './wall-time.ts';

const ZERO = 0x30;
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000];
/** From the year 0 to 9999, a date has ten characters; outside of it, dates are written the slow way. */
const [YEAR_10000, YEAR_0] = [Date.UTC(10_000, 0, 1), -62_167_219_200_000];

/** How far a zone's clocks are ahead of UTC, by quarter hour: all vehicles of a report need the same ones. */
const AHEAD = new Map<string, Map<number, number>>();
/** About a year of them. */
const QUARTERS_REMEMBERED = 36_000;

function aheadIn(zone: string, quarter: number): number {
  let known = AHEAD.get(zone);
  if (!known || known.size >= QUARTERS_REMEMBERED) {
    known = new Map();
    AHEAD.set(zone, known);
  }
  const startMs = quarter * QUARTER_MS;
  const ahead =
    known.get(quarter) ?? Date.parse(`${wallTime(new Date(startMs).toISOString(), zone).replace(' ', 'T')}Z`) - startMs;
  known.set(quarter, ahead);
  return ahead;
}

/**
 * Times on the clocks of a zone, `2026-11-24 03:17:00`, behind what each line begins with. Points are mostly in the order
 * of time, so all but the seconds is made once a minute.
 */
export class Minutes {
  readonly #zone: string;
  readonly #lead: Uint8Array;
  /** When the minute began on these clocks, and which part of it `#bytes` is for: from, and before. */
  #startMs = 0;
  #fromMs = 0;
  #toMs = 0;
  readonly #bytes: Buffer;
  #day = Number.NaN;

  constructor(zone: string, lead: Uint8Array) {
    this.#zone = zone;
    this.#lead = lead;
    this.#bytes = Buffer.concat([lead, Buffer.from('0000-00-00 00:00:')]);
  }

  write(line: LineWriter, timeMs: number): void {
    if (!(timeMs >= this.#fromMs && timeMs < this.#toMs)) {
      if (!(timeMs >= YEAR_0 + DAY_MS && timeMs < YEAR_10000 - DAY_MS)) {
        line.cell(this.#lead);
        line.cell(Buffer.from(wallTime(new Date(timeMs).toISOString(), this.#zone)));
        return;
      }
      this.#begin(timeMs);
    }
    line.cell(this.#bytes);
    line.two(Math.floor((timeMs - this.#startMs) / 1000));
  }

  #begin(timeMs: number): void {
    const quarter = Math.floor(timeMs / QUARTER_MS);
    const aheadMs = aheadIn(this.#zone, quarter);
    const wallMs = Math.floor((timeMs + aheadMs) / MINUTE_MS) * MINUTE_MS;
    this.#startMs = wallMs - aheadMs;
    this.#fromMs = Math.max(this.#startMs, quarter * QUARTER_MS);
    this.#toMs = Math.min(this.#startMs + MINUTE_MS, (quarter + 1) * QUARTER_MS);
    const day = Math.floor(wallMs / DAY_MS);
    const dateAt = this.#lead.length;
    if (day !== this.#day) {
      this.#day = day;
      this.#bytes.write(new Date(wallMs).toISOString().slice(0, 10), dateAt);
    }
    const minutes = (wallMs - day * DAY_MS) / MINUTE_MS;
    writeTwo(this.#bytes, dateAt + 11, Math.floor(minutes / 60));
    writeTwo(this.#bytes, dateAt + 14, minutes % 60);
  }
}

function writeTwo(bytes: Uint8Array, at: number, value: number): void {
  const tens = Math.floor(value / 10);
  bytes[at] = ZERO + tens;
  bytes[at + 1] = ZERO + value - tens * 10;
}
