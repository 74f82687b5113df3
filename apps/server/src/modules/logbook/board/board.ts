import type { BoardRow } from '@milepost/contract';
import { openLog } from '@milepost/eld';
import type { RawDeclaration } from '@milepost/hos';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import { nearOf, type ReportContext } from '../../../ingest/report.ts';
import { viewLog } from '../../../logs/log-view.ts';
import { type ReadLog, readBoardLogs, readLogOf } from '../../../logs/read-board-logs.ts';
import { mapInTurns, turn } from '../../../workers/turns.ts';
import type { Workers } from '../../../workers/workers.ts';
import { declarationsOf } from '../days/declarations.ts';
import type { DriverReading } from '../days/driver-reading.ts';
import { changedSince, headsOf, type LogFault, readStretches, readWhole } from '../days/read-log.ts';
import { iso } from '../days/shown.ts';
import { termsOnBoard } from '../desk/log-access.ts';
import { readCertificationsAsked } from '../desk/reminders.ts';
import { openFaults, readFaults } from '../desk/vehicle-faults.ts';
import { readStandings } from '../recorder/standing.ts';
import { type DriverTerms, homeOfTerminal, logOfDriver } from '../settings/driver-terms.ts';
import { type BoardLog, boardLogOf, boardRowOf } from './board-row.ts';

export interface Board {
  /** The rows of the drivers whom the viewer sees, by name; only of these, if ids are given. */
  rows(trx: AccountTransaction, viewer: Viewer, ids: readonly number[] | null, now: number): Promise<BoardRow[]>;
  /** One driver’s row by a reading of their log of now, without looking at who asks. */
  row(trx: AccountTransaction, accountId: number, terms: DriverTerms, reading: DriverReading): Promise<BoardRow>;
  /** The logs behind the rows, by driver, without looking at who asks. */
  logs(
    trx: AccountTransaction,
    accountId: number,
    drivers: readonly DriverTerms[],
    now: number,
  ): Promise<ReadonlyMap<number, BoardLog>>;
}

interface Known {
  position: number;
  /** Rule set, terminal and declarations: what else decides the clocks. */
  readonly terms: string;
  readonly log: BoardLog;
}

/** What a log says, up to where it contradicts itself. */
interface Read {
  readonly read: ReadLog;
  readonly fault: LogFault | null;
}

/** Logs read at once: few queries, and no more records in memory than they need. */
const LOGS_AT_ONCE = 20;
/** Up to that many are not worth the way to a worker thread. */
const FEW_LOGS = 2;
/** About 20 kB each. */
const REMEMBERED = 20_000;

/**
 * The desk’s board. What a log says is remembered until the log grows: each look asks the database for the last entry
 * of each log, which several servers may write, and reads only the logs that have changed. The clocks of now then cost
 * microseconds.
 */
export function createBoard(
  organisation: Organisation,
  { placeOf }: Pick<ReportContext, 'placeOf'>,
  workers: Pick<Workers, 'run'>,
): Board {
  const { directory, driving, live, roster, visibility } = organisation;
  const known = new Map<string, Known>();

  /** What is remembered of a log under these terms. */
  const knownOf = (accountId: number, { driverId }: DriverTerms, terms: string): Known | null => {
    const one = known.get(`${accountId} ${logOfDriver(driverId)}`);
    return one?.terms === terms ? one : null;
  };
  const remembered = (
    accountId: number,
    { driverId }: DriverTerms,
    of: Pick<Known, 'position' | 'terms'>,
    log: BoardLog,
  ): BoardLog => {
    const key = `${accountId} ${logOfDriver(driverId)}`;
    // A repair doesn't make it longer.
    if (log.fault) known.delete(key);
    else known.set(key, { ...of, log });
    return log;
  };

  const logOfReading = (
    accountId: number,
    terms: DriverTerms,
    { declarations, end, fault, view }: DriverReading,
  ): BoardLog => {
    const of = { position: end?.position ?? -1, terms: decidedBy(terms, declarations) };
    const one = knownOf(accountId, terms, of.terms);
    return one?.position === of.position
      ? one.log
      : remembered(accountId, terms, of, boardLogOf(readLogOf(view), fault));
  };

  const logsOf = async (
    trx: AccountTransaction,
    accountId: number,
    drivers: readonly DriverTerms[],
    now: number,
  ): Promise<Map<number, BoardLog>> => {
    const heads = await headsOf(
      trx,
      drivers.map(({ driverId }) => logOfDriver(driverId)),
    );
    const declared = await declarationsOf(
      trx,
      drivers.map(({ driverId }) => driverId),
    );
    const termsOf = (terms: DriverTerms): string => decidedBy(terms, declared.get(terms.driverId) ?? []);
    const before = (terms: DriverTerms): Known | null => knownOf(accountId, terms, termsOf(terms));
    const grown = drivers.flatMap(terms => {
      const log = logOfDriver(terms.driverId);
      const position = before(terms)?.position;
      return position === undefined || position === (heads.get(log) ?? -1) ? [] : [{ log, position }];
    });
    const changed = await changedSince(trx, grown);
    const found = new Map<number, BoardLog>();
    const stale: DriverTerms[] = [];
    for (const terms of drivers) {
      const name = logOfDriver(terms.driverId);
      const one = before(terms);
      if (!one || changed.has(name)) stale.push(terms);
      else {
        one.position = heads.get(name) ?? -1;
        found.set(terms.driverId, one.log);
      }
    }
    if (known.size + stale.length > REMEMBERED) known.clear();
    for (let i = 0; i < stale.length; i += LOGS_AT_ONCE) {
      const some = stale.slice(i, i + LOGS_AT_ONCE);
      const logs = await readOf(trx, accountId, some, declared, now);
      for (const [nth, terms] of some.entries()) {
        const name = logOfDriver(terms.driverId);
        const { fault = null, read = emptyLogOf(terms, declared.get(terms.driverId) ?? [], now) } = logs[nth] ?? {};
        const of = { position: heads.get(name) ?? -1, terms: termsOf(terms) };
        found.set(terms.driverId, remembered(accountId, terms, of, boardLogOf(read, fault)));
      }
      if (some.length > FEW_LOGS) await turn();
    }
    return found;
  };

  /** What these drivers’ logs say, in their order; many are read in a worker thread. */
  const readOf = async (
    trx: AccountTransaction,
    accountId: number,
    drivers: readonly DriverTerms[],
    declared: ReadonlyMap<number, readonly RawDeclaration[]>,
    now: number,
  ): Promise<(Read | null)[]> => {
    const names = drivers.map(({ driverId }) => logOfDriver(driverId));
    const { stretches, knownFrom } = await readStretches(trx, names, now);
    const byName = new Map(stretches.map(stretch => [stretch.log, stretch]));
    const asked = drivers.flatMap(({ driverId, ruleSet }, nth) => {
      const stretch = byName.get(logOfDriver(driverId));
      return stretch ? [{ nth, log: { stretch, ruleSet, declarations: declared.get(driverId) ?? [] } }] : [];
    });
    const input = { knownFrom, now, logs: asked.map(({ log }) => log) };
    const answers =
      asked.length > FEW_LOGS ? await workers.run(accountId, 'readBoardLogs', input) : readBoardLogs(input);
    const found: (Read | null)[] = drivers.map(() => null);
    for (const [i, { nth, log }] of asked.entries()) {
      const { stretch, ...terms } = log;
      const answer = answers[i];
      const whole = answer ? null : (await readWhole(trx, [stretch.log])).get(stretch.log);
      if (answer) found[nth] = { read: answer, fault: null };
      else if (whole) found[nth] = { read: readLogOf(viewLog(whole.log, terms, now)), fault: whole.fault };
    }
    return found;
  };

  const vehicleOf = (accountId: number, { driverId }: DriverTerms, log: BoardLog): number | null => {
    if (log.vehicleId !== null) return log.vehicleId;
    const driver = roster.driver(accountId, driverId);
    return (driver && driving.vehicleOf(accountId, driver))?.id ?? null;
  };
  const shownVehicle = (accountId: number, id: number | null, viewer: Viewer | null): BoardRow['vehicle'] => {
    const vehicle = id === null ? null : directory.findById(id);
    if (vehicle?.accountId !== accountId || (viewer && !visibility.sees(viewer, vehicle))) return null;
    return { id: String(vehicle.id), imei: vehicle.imei, deviceName: vehicle.name };
  };

  /** Where a vehicle is; in personal use and private time only the log says it, as roughly as it may. */
  const hereOf = (accountId: number, id: number, { status }: BoardLog, viewer: Viewer | null): BoardRow['here'] => {
    const { live: state, newest } = live.latestOf(id);
    const vehicle = directory.findById(id);
    if (newest === null || vehicle?.accountId !== accountId || state.private || status === 'PC') return null;
    if (viewer && !visibility.seesPosition(viewer, vehicle, newest.rfid, newest.fixAt)) return null;
    const place = placeOf(newest.lat, newest.lon);
    return place && { address: place.address, near: nearOf(place) };
  };

  const rowsOf = async (
    trx: AccountTransaction,
    accountId: number,
    viewer: Viewer | null,
    drivers: readonly DriverTerms[],
    logs: ReadonlyMap<number, BoardLog>,
    now: number,
  ): Promise<BoardRow[]> => {
    const read = drivers.flatMap(terms => {
      const log = logs.get(terms.driverId);
      return log ? [{ terms, log }] : [];
    });
    const standings = await readStandings(
      trx,
      read.map(({ terms, log }) => ({ driverId: terms.driverId, fault: log.fault })),
    );
    const placed = read.map(({ terms, log }) => {
      const { signInTo = null, ...standing } = standings.get(terms.driverId) ?? {};
      const vehicle = shownVehicle(accountId, signInTo ?? vehicleOf(accountId, terms, log), viewer);
      const signIn = signInTo === null ? null : (vehicle?.deviceName ?? null);
      return { terms, log, vehicle, standing: 'why' in standing ? { ...standing, signIn } : null };
    });
    const ids = placed.flatMap(({ vehicle }) => (vehicle ? [Number(vehicle.id)] : []));
    const faults = openFaults(await readFaults(trx, ids.length > FEW ? null : ids));
    const asked = await readCertificationsAsked(
      trx,
      placed.length > FEW ? null : placed.map(({ terms }) => terms.driverId),
    );
    return mapInTurns(placed, ({ terms, log, vehicle, standing }) => {
      const newest = vehicle && live.latestOf(Number(vehicle.id)).newest;
      return boardRowOf(
        log,
        {
          driverId: String(terms.driverId),
          name: terms.name,
          departmentId: terms.departmentId === null ? null : String(terms.departmentId),
          vehicle,
          certificationAskedAt: asked.get(terms.driverId)?.toISOString() ?? null,
          faults: vehicle ? (faults.get(Number(vehicle.id)) ?? []) : [],
          standing,
          here: vehicle && hereOf(accountId, Number(vehicle.id), log, viewer),
          reportAt: newest ? iso(newest.fixAt) : null,
          syncAt: terms.syncedAt?.toISOString() ?? null,
        },
        now,
      );
    });
  };

  return {
    rows: async (trx, viewer, ids, now) => {
      const drivers = await termsOnBoard(trx, viewer, organisation, ids);
      return rowsOf(trx, viewer.accountId, viewer, drivers, await logsOf(trx, viewer.accountId, drivers, now), now);
    },
    row: async (trx, accountId, terms, reading) => {
      const logs = new Map([[terms.driverId, logOfReading(accountId, terms, reading)]]);
      const [row] = await rowsOf(trx, accountId, null, [terms], logs, reading.view.now);
      if (!row) throw new Error('A driver has a row.');
      return row;
    },
    logs: logsOf,
  };
}

/** What else decides the clocks of a log. */
const decidedBy = ({ ruleSet, terminal }: DriverTerms, declarations: readonly RawDeclaration[]): string =>
  JSON.stringify([ruleSet, terminal.timeZone, terminal.startOfDay, declarations]);

/** A driver without a log has rested. */
const emptyLogOf = (
  { driverId, ruleSet, terminal }: DriverTerms,
  declarations: readonly RawDeclaration[],
  now: number,
): ReadLog =>
  readLogOf(
    viewLog(openLog({ log: logOfDriver(driverId), home: homeOfTerminal(terminal) }), { ruleSet, declarations }, now),
  );

/** Up to that many vehicles are asked for by name. */
const FEW = 100;
