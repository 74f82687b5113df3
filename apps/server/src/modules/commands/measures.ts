import type { Interlock, TrackerProtocol } from '@milepost/contract';
import { interlock } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { Bus } from '../../bus/bus.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Ways } from '../../ingest/gateways/ways.ts';
import { interlockOf, type SafetyParts } from './safety.ts';

/** What a vehicle's connection allows at this moment. */
export interface Measure {
  readonly reachable: boolean;
  /** Of the connection that is open; null if none is. */
  readonly protocol: TrackerProtocol | null;
  readonly interlock: Interlock;
  readonly possibleAt: number | null;
}

export interface MeasuresParts extends SafetyParts {
  readonly bus: Bus;
  readonly ways: Ways;
}

export interface Measures {
  /** As the node says that has the vehicle's commands. If it doesn't answer, nothing is known, and nothing is safe. */
  of(vehicle: DirectoryEntry): Promise<Measure>;
  stop(): void;
}

const ANSWER_WITHIN_MS = 2000;
const subjectOf = (node: string): string => `commands.measure.${node}`;

export function createMeasures(parts: MeasuresParts): Measures {
  const { bus, connections, now, ways } = parts;

  const here = (vehicle: Pick<DirectoryEntry, 'id' | 'imei'>): Measure => {
    const connection = connections.find(vehicle.imei);
    const isReachable = connection?.vehicleId === vehicle.id;
    return { reachable: isReachable, protocol: connection?.protocol ?? null, ...interlockOf(parts, vehicle) };
  };
  const unknown = (): Measure => {
    const at = now();
    const { checks, holds } = interlock(null, null, epochMs(at));
    const measured = { holds, checkedAt: new Date(at).toISOString(), checks: [...checks] };
    return { reachable: false, protocol: null, interlock: measured, possibleAt: null };
  };

  const stop = bus.isShared
    ? bus.serve(subjectOf(bus.nodeId), payload => {
        const vehicle = JSON.parse(payload) as Pick<DirectoryEntry, 'id' | 'imei'>;
        if (!ways.isMine(vehicle.id)) throw new Error('Another server has the commands of this vehicle');
        return JSON.stringify(here(vehicle));
      })
    : () => {};

  return {
    stop,
    of: async vehicle => {
      if (ways.isMine(vehicle.id)) return here(vehicle);
      const node = await ways.nodeOf(vehicle.id);
      // It has no connection anywhere, so nothing can be sent; what was reported last is shown.
      if (node === null) return here(vehicle);
      const asked = JSON.stringify({ id: vehicle.id, imei: vehicle.imei });
      const reply = await bus.request(subjectOf(node), asked, ANSWER_WITHIN_MS);
      return reply.kind === 'answer' ? (JSON.parse(reply.payload) as Measure) : unknown();
    },
  };
}
