import { randomUUID } from 'node:crypto';
import type { TrackerProtocol } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import type { ClientBase, Pool } from 'pg';
import type { AlertFigures } from '../../db/alert-schema.ts';
import { doubtsFromBits } from '../../fleet/vehicle-state.ts';
import type { CommitHook, TakenPosition } from '../../ingest/commit-hook.ts';
import type { OwnedPosition, VehicleKey } from '../../ingest/written-columns.ts';
import { figuresOf } from './figures.ts';
import { type AlertState, type Chosen, foldAlerts, hourOf, type Sighting } from './fold.ts';
import { quietMsOf, ruleOf } from './rules.ts';
import { takeSameMoment } from './same-moment.ts';
import { loadStates, saveStates } from './states.ts';

export interface TrackerAlertsParts {
  /** The vehicle's driver, identified by the report's card if it has one. */
  readonly driverOf: (vehicle: VehicleKey, card: string | null, atMs: number) => number | null;
  readonly builtIns: Chosen;
  /** Called with the alerts opened or changed, after the commit. */
  readonly changed: (alerts: readonly AlertState[]) => void;
}

type Lasting = Pick<AlertState, 'kind' | 'updatedAt'>;

/**
 * Alerts from trackers' reports, written in the transaction of the positions. The database is authoritative. Memory
 * holds only which vehicles have an open alert, so a batch that changes no alert costs only a check of each event.
 */
export class TrackerAlerts implements CommitHook {
  readonly #parts: TrackerAlertsParts;
  readonly #lasting = new Map<number, readonly Lasting[]>();

  readonly #pool: Pool;

  constructor(pool: Pool, parts: TrackerAlertsParts, lasting: readonly AlertState[]) {
    this.#pool = pool;
    this.#parts = parts;
    this.#remember(new Set(lasting.map(({ vehicleId }) => vehicleId)), lasting);
  }

  concerned(positions: readonly OwnedPosition[]): ReadonlySet<number> {
    const concerned = new Set<number>();
    for (const { vehicle, position, isNew } of positions) {
      if (position.event === null && this.#lasting.size === 0) continue;
      const rule = ruleOf(position.event);
      if (rule && 'kind' in rule) concerned.add(vehicle.id);
      else if (isNew && this.#mayEnd(vehicle.id, position, rule !== null)) concerned.add(vehicle.id);
    }
    return concerned;
  }

  async reread(vehicleIds: readonly number[]): Promise<void> {
    this.#remember(new Set(vehicleIds), await loadStates(this.#pool, vehicleIds, null));
  }

  async write(client: ClientBase, positions: readonly TakenPosition[]): Promise<() => void> {
    const sightings = await this.#sightings(client, positions);
    const vehicles = new Set(positions.map(({ vehicle }) => vehicle.id));
    const lateFrom = Math.min(...sightings.filter(({ late }) => late).map(({ at }) => hourOf(at) * HOUR_MS));
    const closedFrom = Math.min(lateFrom, this.#quietFrom(sightings));
    const known = await loadStates(client, [...vehicles], Number.isFinite(closedFrom) ? closedFrom : null);
    const changed = foldAlerts(known, sightings, randomUUID, this.#parts.builtIns);
    if (changed.length > 0) await saveStates(client, changed);
    return () => {
      const now = new Map([...known, ...changed].map(alert => [alert.id, alert]));
      this.#remember(vehicles, [...now.values()]);
      if (changed.length > 0) this.#parts.changed(changed);
    };
  }

  /** An alert that was opened since then may keep another one quiet; infinite if none does. */
  #quietFrom(sightings: readonly Sighting[]): number {
    let from = Infinity;
    for (const { accountId, at, event, late } of sightings) {
      const rule = ruleOf(event);
      const quietMs = rule && 'kind' in rule && !late ? this.#parts.builtIns.cooldownMs(accountId, rule.kind) : 0;
      if (quietMs > 0) from = Math.min(from, at - quietMs);
    }
    return from;
  }

  #mayEnd(vehicleId: number, position: OwnedPosition['position'], isEnd: boolean): boolean {
    const lasting = this.#lasting.get(vehicleId);
    if (!lasting) return false;
    return isEnd || lasting.some(alert => isOver(alert, position.fixAt, position.protocol));
  }

  async #sightings(client: ClientBase, positions: readonly TakenPosition[]): Promise<Sighting[]> {
    const isEvent = ({ position }: OwnedPosition): boolean => {
      const rule = ruleOf(position.event);
      return rule !== null && 'kind' in rule;
    };
    const again = positions.filter(taken => !taken.isInserted && isEvent(taken));
    const taken = again.length === 0 ? null : await takeSameMoment(client, again);
    return positions
      .filter(each => (isEvent(each) ? each.isInserted || taken?.has(each) : each.isNew))
      .map(({ vehicle, position }) => {
        // If the tracker's clock was never set, the time of arrival counts.
        const isTimeless = doubtsFromBits(position.doubts).includes('impossible-time');
        const isPlace = position.doubts === 0;
        return {
          vehicleId: vehicle.id,
          accountId: vehicle.accountId,
          at: isTimeless ? position.receivedAt : position.fixAt,
          receivedAt: position.receivedAt,
          late: position.late && !isTimeless,
          event: position.event,
          protocol: position.protocol,
          lat: isPlace ? position.lat : null,
          lon: isPlace ? position.lon : null,
          figures: figuresAt(position),
          driverId: this.#parts.driverOf(vehicle, position.rfid, position.fixAt),
          speed: position.speed,
          ignition: position.ignition,
        };
      });
  }

  #remember(vehicles: ReadonlySet<number>, alerts: readonly AlertState[]): void {
    for (const id of vehicles) this.#lasting.delete(id);
    for (const { vehicleId, kind, updatedAt, closedAt } of alerts) {
      if (closedAt !== null) continue;
      this.#lasting.set(vehicleId, [...(this.#lasting.get(vehicleId) ?? []), { kind, updatedAt }]);
    }
  }
}

const HOUR_MS = 3_600_000;

function figuresAt(position: OwnedPosition['position']): AlertFigures {
  const rule = ruleOf(position.event);
  return rule && 'kind' in rule ? figuresOf(rule.kind, position) : {};
}

function isOver({ kind, updatedAt }: Lasting, atMs: number, protocol: TrackerProtocol): boolean {
  const quietMs = quietMsOf(kind, protocol);
  return quietMs !== null && epochMs(atMs) - updatedAt >= quietMs;
}
