import type { TrackOptions, TrackProblem } from '@milepost/contract';
import { celsius, degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import type { Context } from '../../../context.ts';
import type { LiveStates } from '../../../fleet/live.ts';
import { advance, type VehicleState } from '../../../fleet/vehicle-state.ts';
import { storable } from '../../../ingest/storable.ts';
import type { JobRun } from '../../../jobs/one-off.ts';
import { type HistoryOfVehicle, MomentsSeen } from '../../../tracks/history.ts';
import type { StoredPosition } from '../../../tracks/stored-position.ts';
import { turn } from '../../../workers/turns.ts';
import { formatOf } from '../move-in-files.ts';
import { Found } from './found.ts';
import { readCsv } from './read-csv.ts';
import { readGpx } from './read-gpx.ts';
import { storeHistory } from './store-history.ts';
import type { TrackFile, TrackFix, TrackRow } from './track-row.ts';
import { type NamedVehicle, VehicleNames } from './vehicle-names.ts';

/** Rows that go into the database at once. */
const BATCH = 2000;
/** Rows that are taken, in a few milliseconds, before others get their turn. */
const ROWS_A_TURN = 200;
const EARLIEST = Date.UTC(2000, 0, 1);
/** What is younger alerts people when it comes (docs/rules.md), and comes from the tracker anyway. */
const TOO_NEW_MS = 86_400_000;

interface Parts {
  readonly context: Pick<Context, 'db'>;
  readonly live: LiveStates;
  readonly run: Pick<JobRun, 'accountId' | 'signal' | 'progress'>;
  readonly files: readonly TrackFile[];
  readonly options: TrackOptions;
  /** Older positions are deleted; null if none are. */
  readonly keptDays: number | null;
  readonly dryRun: boolean;
}

/**
 * Reads GPX and CSV files of tracks into the positions of vehicles, or only says what would come of it. Each position is
 * late: its day is counted again and it alerts nobody. A position that is there already is left as it is, so that
 * everything can be read in again. Null if the job is cancelled or stopped; what is stored by then stays.
 */
export async function importTracks({
  context: { db },
  dryRun,
  files,
  keptDays,
  live,
  options,
  run,
}: Parts): Promise<Found | null> {
  const found = new Found();
  const vehicles = await VehicleNames.read(db, run.accountId, options.vehicles);
  const nowMs = Date.now();
  const limits = {
    newest: nowMs - TOO_NEW_MS,
    oldest: keptDays === null ? EARLIEST : Math.max(EARLIEST, nowMs - keptDays * 86_400_000),
  };
  const seen = dryRun ? await MomentsSeen.open(db.pool) : null;
  const chains = new Map<number, VehicleState>();
  let batch = new Map<number, StoredPosition[]>();
  let size = 0;
  let bytesBefore = 0;
  let bytes = 0;

  /** The batch on its way into the database, while the next one is read. */
  let writing: Promise<void> = Promise.resolve();
  const write = async (history: readonly HistoryOfVehicle[], through: number): Promise<void> => {
    const added = seen ? await seen.add(history) : await storeHistory(db, live, run.accountId, history);
    found.accepted += added;
    await run.progress(through);
  };
  const flush = async (): Promise<void> => {
    const history: HistoryOfVehicle[] = [...batch].map(([vehicleId, positions]) => ({ vehicleId, positions }));
    batch = new Map();
    size = 0;
    await writing;
    writing = write(history, bytesBefore + bytes);
    // It is awaited before the next one.
    writing.catch(() => {});
  };

  /** Why a row can't be taken, and what stands there. */
  const problemOf = (row: TrackRow, vehicle: NamedVehicle | null): readonly [TrackProblem, string] | null => {
    const { fix } = row;
    if (!fix) return [row.problem, row.value];
    const at = (): string => new Date(fix.time).toISOString();
    if (fix.time > limits.newest) return ['too-new', at()];
    if (fix.time < limits.oldest) return ['too-old', at()];
    found.time(fix.time);
    return vehicle ? null : ['unknown-vehicle', row.vehicle];
  };

  const take = (file: TrackFile, row: TrackRow): void => {
    found.rows++;
    const vehicle = vehicles.of(row.vehicle);
    found.vehicle(row.vehicle, vehicle);
    const problem = problemOf(row, vehicle);
    if (problem) found.problem(file.name, row.line, ...problem);
    if (problem || !row.fix || !vehicle) return;
    const received = receivedOf(row.fix, file.name);
    const before = chains.get(vehicle.id) ?? null;
    // Doubts are those of a track on its own; late is what all of it is.
    const after = advance(before, { receivedAt: received.receivedAt, positions: [received] }, stored => {
      const known = batch.get(vehicle.id);
      if (known) known.push({ ...stored, late: true });
      else batch.set(vehicle.id, [{ ...stored, late: true }]);
      size++;
    });
    chains.set(vehicle.id, after);
  };

  try {
    for (const file of files) {
      const { delimiter, format } = await formatOf(file.path);
      const note = (so: number): void => {
        bytes = so;
      };
      const read = { options, read: note };
      if (format !== 'gpx' && format !== 'csv') found.problem(file.name, 1, 'unreadable', '');
      else
        for await (const row of format === 'gpx' ? readGpx(file, read) : readCsv(file, delimiter, read)) {
          if (run.signal.aborted) return null;
          take(file, row);
          if (found.rows % ROWS_A_TURN === 0) await turn();
          if (size >= BATCH) await flush();
          else if (found.rows % BATCH === 0) await run.progress(bytesBefore + bytes);
        }
      bytesBefore += bytes;
      bytes = 0;
    }
    await flush();
    await writing;
    if (seen) found.accepted -= await seen.known();
    found.duplicates = found.rows - found.problemCount - found.accepted;
    return found;
  } finally {
    await writing.catch(() => {});
    await seen?.close();
  }
}

function receivedOf(fix: TrackFix, file: string): Omit<StoredPosition, 'late' | 'doubts'> {
  const { altitude, attributes, course, fuel, lat, lon, odometer, rfid, speed, temperature, time } = fix;
  const message = {
    kind: 'position' as const,
    ...{ time, lat, lon, rfid, valid: true, event: null, gsm: null },
    ...{ hdop: fix.hdop, satellites: fix.satellites, ignition: fix.ignition },
    speed: speed === null ? null : metresPerSecond(speed),
    course: course === null ? null : degrees(course),
    altitude: altitude === null ? null : metres(altitude),
    odometer: odometer === null ? null : metres(odometer),
    fuel: fuel === null ? null : percent(fuel),
    temperature: temperature === null ? null : celsius(temperature),
    attributes: { ...attributes, importedFrom: file },
  };
  // As if it had come in time: when it was read in is in the audit log.
  const position = storable(message, 'osmand', epochMs(time));
  if (!position) throw new TypeError('A position without a time');
  return position;
}
