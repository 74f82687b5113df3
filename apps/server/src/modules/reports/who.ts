import type { ReportQuery, SomeVehicles } from '@milepost/contract';
import { type agedBy, UNKNOWN_MOTION, vehicleStatus } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { AppError } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { LiveStates } from '../../fleet/live.ts';
import type { ReportViewer } from './reader.ts';
import type { ReportParts } from './report.ts';

export interface Who {
  readonly vehicles: readonly DirectoryEntry[];
  /** Seen only while one of the caller's drivers has them. */
  readonly passing: number;
  readonly seesPosition: ((vehicle: DirectoryEntry, rfid: string | null, atMs: number) => boolean) | null;
}

/** The named vehicles and those in the named folders, or all that the caller sees; by name. */
export async function whoOf(
  trx: AccountTransaction,
  session: ReportViewer,
  { folders = [], vehicles = [] }: Pick<ReportQuery, 'folders' | 'vehicles'>,
  { roster, visibility }: ReportParts,
): Promise<Who> {
  const { accountId } = session;
  const seen = visibility.vehicles(session);
  const named = vehicles.map(id => visibility.vehicle(session, Number(id)));
  const inFolders = new Set<DirectoryEntry>();
  for (const folder of folders) {
    const id = Number(folder);
    const found = seen.filter(({ folderId }) => roster.isInside('folder', accountId, folderId, new Set([id])));
    const isKnown = await trx.selectFrom('folder').select('id').where('id', '=', id).executeTakeFirst();
    // Not found unless the caller holds it or sees a vehicle in it.
    if (!isKnown || (found.length === 0 && !visibility.holds('folder', session, id))) throw new AppError('not-found');
    for (const vehicle of found) inFolders.add(vehicle);
  }
  const chosen = folders.length + vehicles.length === 0 ? seen : [...new Set([...named, ...inFolders])];
  const sorted = chosen.toSorted(
    (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true, sensitivity: 'base' }) || a.id - b.id,
  );
  // Drivers see what they drove themselves, of whichever vehicle they drive now.
  if (session.role === 'driver') {
    return {
      vehicles: sorted,
      passing: 0,
      seesPosition: (vehicle, rfid, atMs) => visibility.seesPosition(session, vehicle, rfid, atMs),
    };
  }
  const whole = sorted.filter(vehicle => visibility.holdsVehicle(session, vehicle));
  return { vehicles: whole, passing: sorted.length - whole.length, seesPosition: null };
}

/** How many vehicles are named; the rest are counted. */
const NAMED = 20;

export function someOf(vehicles: readonly DirectoryEntry[], live: LiveStates): SomeVehicles {
  return {
    count: vehicles.length,
    vehicles: vehicles.slice(0, NAMED).map(({ id, imei, name }) => {
      const newestMs = live.of(id)?.newest?.fixAt ?? null;
      return { deviceId: String(id), imei, name, lastAt: newestMs === null ? null : new Date(newestMs).toISOString() };
    }),
  };
}

/** Vehicles that stopped reporting before the end of a period and are expected to report: more may still arrive. */
export function lateOf(
  vehicles: readonly DirectoryEntry[],
  live: LiveStates,
  { endMs, nowMs, thresholds }: { endMs: number; nowMs: number; thresholds: ReturnType<typeof agedBy> },
): DirectoryEntry[] {
  return vehicles.filter(({ id }) => {
    const state = live.of(id);
    const newestMs = state?.newest?.fixAt;
    if (!state || newestMs === undefined || newestMs >= endMs) return false;
    const motion = { ...(state.motion ?? UNKNOWN_MOTION), heardAt: state.heardAt };
    const { status } = vehicleStatus(motion, epochMs(nowMs), thresholds);
    return status === 'outdated' || status === 'offline';
  });
}
