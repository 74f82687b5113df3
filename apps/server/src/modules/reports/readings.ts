import type { DirectoryEntry } from '../../fleet/directory.ts';
import { readColumns, type SpanColumns } from '../../tracks/columns.ts';
import { turn } from '../../workers/turns.ts';
import type { Asked } from './report.ts';

const DAY_MS = 24 * 3_600_000;

const COLUMNS = [
  'lat',
  'lon',
  'valid',
  'doubts',
  'odometer',
  'fuel',
  'temperature',
  'ignition',
  'rfid',
  'speed',
  'event',
] as const;

type Columns = SpanColumns<(typeof COLUMNS)[number]>;

/** What a vehicle reported at a moment; null where it said nothing. SI units. */
export interface Readings {
  readonly timeMs: number;
  readonly lat: number;
  readonly lon: number;
  /** It was there for sure. */
  readonly isBelieved: boolean;
  readonly odometer: number | null;
  /** Percent. */
  readonly fuel: number | null;
  readonly temperature: number | null;
  readonly ignition: boolean | null;
  readonly speed: number | null;
  /** The tracker's own word. */
  readonly event: string | null;
  readonly rfid: string | null;
}

/** What a vehicle reported in the period, oldest first, as far as the caller may see it: a day (UTC) at a time. */
export async function* readingsOf(asked: Asked, vehicle: DirectoryEntry): AsyncGenerator<readonly Readings[]> {
  const { calendar, nowMs, seesPosition, session, sources } = asked;
  const endMs = Math.min(calendar.startOf(asked.to + 1), nowMs);
  for (let startMs: number = calendar.startOf(asked.from); startMs < endMs; ) {
    const nextMs = Math.min(endMs, (Math.floor(startMs / DAY_MS) + 1) * DAY_MS);
    const span = { vehicleId: vehicle.id, from: new Date(startMs), before: new Date(nextMs) };
    const columns: Columns = await sources.db.asAccount(session.accountId, trx => readColumns(trx, span, COLUMNS));
    const page: Readings[] = [];
    for (const [i, timeMs] of columns.fixAt.entries()) {
      if (seesPosition && !seesPosition(vehicle, columns.rfid[i] ?? null)) continue;
      page.push({
        timeMs,
        lat: columns.lat[i] as number,
        lon: columns.lon[i] as number,
        isBelieved: columns.valid[i] === true && columns.doubts[i] === 0,
        odometer: columns.odometer[i] ?? null,
        fuel: columns.fuel[i] ?? null,
        temperature: columns.temperature[i] ?? null,
        ignition: columns.ignition[i] ?? null,
        speed: columns.speed[i] ?? null,
        event: columns.event[i] ?? null,
        rfid: columns.rfid[i] ?? null,
      });
    }
    if (page.length > 0) yield page;
    await turn();
    startMs = nextMs;
  }
}
