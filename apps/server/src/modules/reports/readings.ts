import type { DirectoryEntry } from '../../fleet/directory.ts';
import { readColumns, type SpanColumns } from '../../tracks/columns.ts';
import { withPositions } from '../../tracks/count.ts';
import { turn } from '../../workers/turns.ts';
import type { Asked } from './report.ts';

const DAY_MS = 24 * 3_600_000;
/** Days per query; other requests get a turn between queries. */
const DAYS_A_LOOK = 4;

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

const periodOf = ({ calendar, from, nowMs, to }: Asked) => {
  const fromMs: number = calendar.startOf(from);
  return { fromMs, endMs: Math.max(fromMs, Math.min(calendar.startOf(to + 1), nowMs)) };
};

/** Which of a report's vehicles reported anything: most of a fleet's are not asked day by day for nothing. */
const reporting = new WeakMap<Asked, Promise<ReadonlySet<number>>>();
function reportingIn(asked: Asked): Promise<ReadonlySet<number>> {
  const { session, sources, vehicles } = asked;
  const { endMs, fromMs } = periodOf(asked);
  const found =
    reporting.get(asked) ??
    sources.db.asAccount(session.accountId, trx =>
      withPositions(
        trx,
        vehicles.map(({ id }) => id),
        { from: new Date(fromMs), before: new Date(endMs) },
      ),
    );
  reporting.set(asked, found);
  return found;
}

/** What a vehicle reported in the period, oldest first, as far as the caller may see it: a few days (UTC) at a time. */
export async function* readingsOf(asked: Asked, vehicle: DirectoryEntry): AsyncGenerator<readonly Readings[]> {
  const { seesPosition, session, sources } = asked;
  if (!(await reportingIn(asked)).has(vehicle.id)) return;
  const { endMs, fromMs } = periodOf(asked);
  for (let startMs = fromMs; startMs < endMs; ) {
    const nextMs = Math.min(endMs, (Math.floor(startMs / DAY_MS) + DAYS_A_LOOK) * DAY_MS);
    const span = { vehicleId: vehicle.id, from: new Date(startMs), before: new Date(nextMs) };
    const columns: Columns = await sources.db.asAccount(session.accountId, trx => readColumns(trx, span, COLUMNS));
    const page: Readings[] = [];
    for (const [i, timeMs] of columns.fixAt.entries()) {
      if (seesPosition && !seesPosition(vehicle, columns.rfid[i] ?? null, timeMs)) continue;
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
