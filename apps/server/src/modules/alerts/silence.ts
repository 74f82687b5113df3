import { DEFAULT_SETTINGS, settingsSchema } from '@milepost/contract';
import { DEFAULT_THRESHOLDS, vehicleStatus } from '@milepost/geo';
import { type EpochMs, epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import type { Directory, DirectoryEntry } from '../../fleet/directory.ts';
import type { LiveStates } from '../../fleet/live.ts';
import { openAlert, type Scene } from './open-alert.ts';

/** After a start, the server gives trackers this long to reconnect before it reports them as silent. */
const GRACE_MS = 5 * 60_000;
const MINUTE_MS = 60_000;

type SilenceContext = Pick<Context, 'bus' | 'db' | 'log' | 'signals'>;

export interface SilenceParts extends Scene {
  readonly directory: Pick<Directory, 'findById'>;
  readonly live: LiveStates;
  readonly changed: (ids: readonly string[]) => void;
}

/**
 * The alert `silent`: a vehicle has sent nothing for longer than its account allows, by the same rule as the status
 * "offline". It closes when the vehicle reports again.
 */
export class Silence {
  readonly #context: SilenceContext;
  readonly #parts: SilenceParts;
  /** Silent vehicles, with the ID of their alert. */
  readonly #silent = new Map<number, string>();
  readonly #startedAt: number;
  #looking: Promise<void> = Promise.resolve();

  private constructor(context: SilenceContext, parts: SilenceParts, now: number) {
    this.#context = context;
    this.#parts = parts;
    this.#startedAt = now;
  }

  static async watch(context: SilenceContext, parts: SilenceParts, now = Date.now()): Promise<Silence> {
    const silence = new Silence(context, parts, now);
    await silence.#readLasting();
    return silence;
  }

  async #readLasting(): Promise<void> {
    const lasting = await this.#context.db.system
      .selectFrom('alert')
      .select(['id', 'vehicle_id'])
      .where('kind', '=', 'silent')
      .where('closed_at', 'is', null)
      .execute();
    this.#silent.clear();
    for (const { id, vehicle_id } of lasting) if (vehicle_id !== null) this.#silent.set(vehicle_id, id);
  }

  /** Of these vehicles those that no other node has heard since: while the bus is away, this one doesn't know. */
  async #unheard<T extends { readonly vehicle: DirectoryEntry; readonly at: EpochMs }>(
    silent: readonly T[],
    limitOf: (accountId: number) => number,
    now: number,
  ): Promise<readonly T[]> {
    if (silent.length === 0) return silent;
    const ids = silent.map(({ vehicle }) => vehicle.id);
    const rows = await this.#context.db.system
      .selectFrom('vehicle_state')
      .select(['vehicle_id', 'heard_at'])
      .where('vehicle_id', 'in', ids)
      .execute();
    const heardAt = new Map(rows.map(row => [row.vehicle_id, row.heard_at.getTime()]));
    return silent.filter(({ vehicle }) => now - (heardAt.get(vehicle.id) ?? 0) >= limitOf(vehicle.accountId));
  }

  /** Takes note of vehicles that have reported. On the hot path. */
  heard(vehicleIds: Iterable<number>): void {
    if (this.#silent.size === 0) return;
    for (const id of vehicleIds) {
      if (!this.#silent.has(id)) continue;
      this.look().catch((error: unknown) =>
        this.#context.log.error({ err: error }, 'Could not check for silent vehicles'),
      );
      return;
    }
  }

  /** Opens and closes alerts; runs one check at a time. */
  look(now = Date.now()): Promise<void> {
    const looked = this.#looking.then(() => this.#look(now));
    this.#looking = looked.catch(() => {});
    return looked;
  }

  async #look(now: number): Promise<void> {
    const { builtIns, directory, driverOf, live } = this.#parts;
    const limits = await this.#limits();
    const limitOf = (accountId: number): number => limits.get(accountId) ?? DEFAULT_THRESHOLDS.offlineAfterMs;
    const { isShared } = this.#context.bus;
    // Any node may have opened and closed alerts since.
    if (isShared) await this.#readLasting();
    const mayOpen = now - this.#startedAt >= GRACE_MS;
    const opened: { readonly vehicle: DirectoryEntry; readonly at: EpochMs }[] = [];
    const closed: { readonly vehicleId: number; readonly at: EpochMs }[] = [];
    for (const accountId of live.accounts()) {
      const offlineAfterMs = limitOf(accountId);
      for (const { vehicleId } of live.latest(accountId)) {
        const state = live.of(vehicleId);
        const vehicle = directory.findById(vehicleId);
        if (!state || !vehicle) continue;
        const { heardAt, motion } = state;
        const thresholds = { ...DEFAULT_THRESHOLDS, offlineAfterMs };
        const isSilent =
          !builtIns.isOff(accountId, 'silent') &&
          vehicleStatus({ ...motion, heardAt }, epochMs(now), thresholds).status === 'offline';
        if (isSilent === this.#silent.has(vehicleId)) continue;
        if (!isSilent) closed.push({ vehicleId, at: heardAt });
        else if (mayOpen) {
          // Outside the times that the account chose, it is an alert once they begin.
          const about = { accountId, vehicleId, kind: 'silent', driverId: driverOf(vehicle) } as const;
          const at = [epochMs(heardAt + offlineAfterMs), epochMs(now)].find(
            each => builtIns.severityOf({ ...about, at: each }, 'warning') !== null,
          );
          if (at !== undefined) opened.push({ vehicle, at });
        }
      }
    }
    for (const each of closed) await this.#close(each.vehicleId, each.at);
    const silent = isShared ? await this.#unheard(opened, limitOf, now) : opened;
    for (const each of silent) await this.#open(each.vehicle, each.at);
  }

  async #open(vehicle: DirectoryEntry, at: EpochMs): Promise<void> {
    const silent = { kind: 'silent', severity: 'warning', at: new Date(at), closedAt: null, commandId: null } as const;
    const id = await openAlert(this.#context, this.#parts, vehicle, silent);
    if (id === null) return;
    this.#silent.set(vehicle.id, id);
    this.#parts.changed([id]);
  }

  async #close(vehicleId: number, at: EpochMs): Promise<void> {
    const id = this.#silent.get(vehicleId);
    if (id === undefined) return;
    await this.#context.db.system
      .updateTable('alert')
      .set({ closed_at: new Date(at) })
      .where('id', '=', id)
      .where('closed_at', 'is', null)
      .execute();
    this.#silent.delete(vehicleId);
    this.#parts.changed([id]);
  }

  /** Limits by account, for accounts with their own. */
  async #limits(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.#context.db.system
      .selectFrom('account_setting')
      .select(['account_id', 'value'])
      .where('name', '=', 'offlineAfterMinutes')
      .execute();
    const { offlineAfterMinutes } = settingsSchema.shape;
    return new Map(
      rows.map(({ account_id: accountId, value }) => [
        accountId,
        (offlineAfterMinutes.safeParse(value).data ?? DEFAULT_SETTINGS.offlineAfterMinutes) * MINUTE_MS,
      ]),
    );
  }
}
