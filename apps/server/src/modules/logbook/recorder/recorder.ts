import type { TownFinder } from '@milepost/eld';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { turn } from '../../../workers/turns.ts';
import { beginDrive, endDrives } from '../../privacy/private-drives.ts';
import { Corrections } from './corrections.ts';
import { FailingVehicles } from './failing.ts';
import { isMarkDue } from './late-marks.ts';
import { beginRecording, type RecordingOutcome, recordVehicle } from './record-vehicle.ts';
import { VehicleTurns } from './vehicle-turns.ts';

/** Drives the recorders of all vehicles that drivers with a log have signed in to. */
export interface Recorder {
  /**
   * Records what a vehicle's positions and inputs say by `nowMs`, in the caller's transaction.
   *
   * @param untilMs only up to then: the same transaction goes on, and records it to the end
   */
  record(
    trx: AccountTransaction,
    accountId: number,
    vehicleId: number,
    nowMs: number,
    untilMs?: number,
  ): Promise<RecordingOutcome | null>;
  /** The vehicle is recorded from then on, or from an earlier moment as before; answers whether that is new. */
  begin(trx: AccountTransaction, accountId: number, vehicleId: number, atMs: number): Promise<boolean>;
  /** For phones: who records what, one at a time. */
  readonly turns: VehicleTurns;
  /** Records every vehicle for which something has come or become due; once, as the timer does. */
  look(nowMs: number): Promise<void>;
  /** What keeps vehicles from being recorded, for `/health`. */
  trouble(): Promise<string | null>;
  start(): void;
  stop(): Promise<void>;
}

/** What becomes due is recorded within a second. */
const LOOK_EVERY_MS = 1000;
const RETRY_MS = 5000;
/** Vehicles that are recorded at a time, so that one that takes long, or waits for a lock, holds up few others. */
const LANES = 2;

export function createRecorder(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { live, privateTime }: Pick<Organisation, 'live' | 'privateTime'>,
  towns: () => Promise<TownFinder>,
): Recorder {
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  /** The newest position at which a vehicle was recorded; one that is not believed comes up only once. */
  const seen = new Map<number, number>();
  const failing = new FailingVehicles(db, log);
  const turns = new VehicleTurns();
  const corrections = new Corrections();

  const record = async (
    trx: AccountTransaction,
    accountId: number,
    vehicleId: number,
    nowMs: number,
    { leavesLate = false, until }: { readonly leavesLate?: boolean; readonly until?: number },
  ): Promise<RecordingOutcome | null> => {
    const hidesPersonalUse = privateTime.hidesPersonalUse(accountId);
    // A private drive, once it is kept, is not taken back: none is made of half a story.
    const untilMs = hidesPersonalUse ? null : (until ?? null);
    const parts = { accountId, vehicleId, nowMs, untilMs, hidesPersonalUse, leavesLate, towns: await towns() };
    const outcome = await recordVehicle(trx, parts);
    for (const { key, refusal } of outcome?.unwritten ?? []) {
      log.warn({ accountId, vehicleId, key, refusal }, 'A log does not take what was recorded');
    }
    if (outcome) await keepPersonalUse(trx, accountId, vehicleId, outcome.personalUse, nowMs);
    return outcome;
  };

  /** Personal use that goes on is private time from when the account wants that, and until it no longer does. */
  const keepPersonalUse = async (
    trx: AccountTransaction,
    accountId: number,
    vehicleId: number,
    driverId: number | null,
    nowMs: number,
  ): Promise<void> => {
    const isPrivate = driverId !== null && privateTime.hidesPersonalUse(accountId);
    const open = privateTime.driveOf(accountId, vehicleId, nowMs);
    if (isPrivate && open?.driverId !== driverId) {
      await beginDrive(trx, { accountId, vehicleId, driverId, cause: 'personal-use' }, new Date(nowMs));
    } else if (!isPrivate && open?.cause === 'personal-use') {
      await endDrives(trx, vehicleId, 'personal-use', new Date(nowMs));
    }
  };

  const look = async (nowMs: number, ifTaken: 'wait' | 'leave'): Promise<void> => {
    const due = (await readDue(nowMs)).filter(({ vehicleId }) => !failing.waits(vehicleId));
    const lane = async (): Promise<void> => {
      for (let next = due.shift(); next && !isStopped; next = due.shift()) {
        const { accountId, vehicleId } = next;
        // A phone that is in it records it, too; what it leaves is the next look's.
        if (ifTaken === 'leave' && turns.isTaken(accountId, vehicleId)) continue;
        const leavesLate = ifTaken === 'leave' && corrections.rests(vehicleId, performance.now());
        await turns.ofVehicle(accountId, vehicleId, () => lookAt(accountId, vehicleId, nowMs, leavesLate));
        await turn();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  };

  const lookAt = async (accountId: number, vehicleId: number, nowMs: number, leavesLate: boolean): Promise<void> => {
    const newestMs = live.of(vehicleId)?.newest?.fixAt ?? 0;
    try {
      const began = performance.now();
      const outcome = await db.asAccount(accountId, trx => record(trx, accountId, vehicleId, nowMs, { leavesLate }));
      const endMs = performance.now();
      if (outcome?.isCorrected) corrections.corrected(vehicleId, endMs - began, endMs);
      // One that came while this look was on its way to the vehicle is the next look's.
      if (newestMs <= nowMs) seen.set(vehicleId, newestMs);
      failing.works(accountId, vehicleId);
    } catch (error) {
      await failing.fails(accountId, vehicleId, error);
    }
  };

  const readDue = async (nowMs: number) => {
    const rows = await db.system
      .selectFrom('recorder_fold')
      .select(['vehicle_id', 'account_id', 'fix_through', 'next_at', 'failing_since'])
      .select(eb =>
        eb
          .exists(
            eb
              .selectFrom('recorder_late')
              .select('id')
              .whereRef('recorder_late.vehicle_id', '=', 'recorder_fold.vehicle_id')
              .where('from_at', '<=', new Date(nowMs))
              .where(isMarkDue),
          )
          .as('is_late'),
      )
      .execute();
    return rows.flatMap(
      ({ account_id: accountId, failing_since, fix_through, is_late, next_at, vehicle_id: vehicleId }) => {
        const newestMs = live.of(vehicleId)?.newest?.fixAt ?? 0;
        const isBehind = newestMs > fix_through.getTime() && newestMs <= nowMs && seen.get(vehicleId) !== newestMs;
        const isDue = next_at !== null && next_at.getTime() <= nowMs;
        return isBehind || isDue || is_late === true || failing_since !== null ? [{ vehicleId, accountId }] : [];
      },
    );
  };

  const lookAgain = (delayMs: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = look(Date.now(), 'leave').then(
        () => lookAgain(LOOK_EVERY_MS),
        (error: unknown) => {
          log.warn({ err: error }, 'Could not look for what is to be recorded; retrying');
          lookAgain(RETRY_MS);
        },
      );
    }, delayMs).unref();
  };

  return {
    record: (trx, accountId, vehicleId, nowMs, until) => record(trx, accountId, vehicleId, nowMs, { until }),
    begin: (trx, accountId, vehicleId, atMs) => beginRecording(trx, { accountId, vehicleId }, atMs),
    turns,
    look: nowMs => look(nowMs, 'wait'),
    trouble: () => failing.trouble(),
    start: () => lookAgain(LOOK_EVERY_MS),
    stop: async () => {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}
