import { DEFAULT_GEOFENCE_EDGE, type GeofenceShape, imeiSchema, type TrackProblem } from '@milepost/contract';
import { refuseImpossibleShape } from '../../geofences/shapes.ts';
import { ROWS } from '../rows.ts';
import { FORMAT, UNSEALED_VERSION } from '../tables.ts';
import { areaOf } from './geofence-area.ts';
import { type Foreign, positionRow } from './position-row.ts';

/** What was taken out of Traccar, by its own names. Positions are read one by one. */
export interface TraccarData {
  readonly groups: readonly Foreign[];
  readonly drivers: readonly Foreign[];
  readonly devices: readonly Foreign[];
  readonly geofences: readonly Foreign[];
  readonly positions: AsyncIterable<Foreign>;
}

/** A row that could not be taken, and why. `row` counts from 1. */
export interface RowProblem {
  readonly what: 'group' | 'driver' | 'device' | 'geofence' | 'position';
  readonly row: number;
  readonly name: string;
  readonly code: TrackProblem;
  /** What can't be kept, for `refused`; how many more, for rows that are not told one by one. */
  readonly detail: string;
}

export interface Converted {
  /** The lines of an account's export, which an empty account imports. */
  readonly lines: AsyncGenerator<string>;
  /** Filled while the lines are read. */
  readonly counts: Readonly<Record<string, number>>;
}

const MOST_PROBLEMS_OF_A_DEVICE = 3;

/** Says of each row that can't be taken why, and takes the others. */
export function convert(data: TraccarData, problem: (of: RowProblem) => void): Converted {
  const counts: Record<string, number> = {};
  async function* lines(): AsyncGenerator<string> {
    const line = (table: keyof typeof ROWS, row: object): string => {
      counts[table] = (counts[table] ?? 0) + 1;
      return `${JSON.stringify({ table, row })}\n`;
    };
    /** As the import will read it; null and told if it would refuse it. */
    const accepted = (table: keyof typeof ROWS, row: object, of: Omit<RowProblem, 'code' | 'detail'>): boolean => {
      const read = ROWS[table].safeParse(row);
      if (read.success) return true;
      const [issue] = read.error.issues;
      problem({ ...of, code: 'refused', detail: `${issue?.path.join('.')}: ${issue?.message}` });
      return false;
    };
    yield `${JSON.stringify({ format: FORMAT, version: UNSEALED_VERSION })}\n`;

    const groups = new Set<number>();
    for (const [i, group] of parentsFirst(data.groups).entries()) {
      const id = Number(group.id);
      const parent = Number(group.groupid);
      const row = { id, name: nameOf(group, 'Group'), parent_id: groups.has(parent) ? parent : null };
      if (!accepted('folder', row, { what: 'group', row: i + 1, name: row.name })) continue;
      groups.add(id);
      yield line('folder', row);
    }

    for (const [i, driver] of data.drivers.entries()) {
      const card = String(driver.uniqueid ?? '').trim();
      const row = {
        ...{ id: Number(driver.id), name: nameOf(driver, 'Driver'), card: card === '' ? null : card },
        ...{ phone: null, email: null, licence_number: null, licence_region: null, licence_class: null },
        ...{ licence_expires_on: null, department_id: null, notes: null, archived: false },
      };
      if (accepted('driver', row, { what: 'driver', row: i + 1, name: row.name })) yield line('driver', row);
    }

    const vehicles = new Set<number>();
    for (const [i, device] of data.devices.entries()) {
      const id = Number(device.id);
      const group = Number(device.groupid);
      const phone = String(device.phone ?? '').trim();
      const row = {
        ...{ id, imei: String(device.uniqueid ?? '').trim(), name: nameOf(device, 'Vehicle') },
        ...{ plate: null, vin: null, type: null, make: null, model: null, year: null, fuel_type: null },
        ...{
          tank_litres: null,
          speed_limit_kmh: null,
          odometer_offset: 0,
          tags: [],
          notes: textOrNull(device.contact),
        },
        ...{ tracker_model: textOrNull(device.model), sim_number: phone === '' ? null : phone },
        ...{ tracker_id: null, protocol: null, tracker_addresses: [], usual_driver_id: null },
        folder_id: groups.has(group) ? group : null,
      };
      if (!imeiSchema.safeParse(row.imei).success) {
        problem({ what: 'device', row: i + 1, name: row.name, code: 'no-imei', detail: row.imei });
        continue;
      }
      if (!accepted('vehicle', row, { what: 'device', row: i + 1, name: row.name })) continue;
      vehicles.add(id);
      yield line('vehicle', row);
    }

    const geofences = new Names();
    for (const [i, fence] of data.geofences.entries()) {
      const of = { what: 'geofence', row: i + 1, name: nameOf(fence, 'Geofence') } as const;
      const shape = areaOf(String(fence.area ?? ''));
      if (shape === null || !isPossible(shape)) {
        problem({ ...of, code: 'unknown-area', detail: String(fence.area ?? '').slice(0, 80) });
        continue;
      }
      const row = {
        ...{ id: Number(fence.id), name: geofences.free(of.name), group_id: null, color: 'blue', shape },
        ...{ is_restricted: false, is_on: true, is_for_all: true, note: textOrNull(fence.description) },
        ...{ buffer_m: DEFAULT_GEOFENCE_EDGE.bufferM, min_fixes: DEFAULT_GEOFENCE_EDGE.minFixes },
        ...{ min_seconds: DEFAULT_GEOFENCE_EDGE.minSeconds, detention_free_minutes: null, detention_per_hour: null },
      };
      if (accepted('geofence', row, of)) yield line('geofence', row);
    }

    const problemsOf = new Map<number, number>();
    let nth = 0;
    for await (const position of data.positions) {
      nth++;
      const device = Number(position.deviceid);
      const row = vehicles.has(device) ? positionRow(position, device) : 'unknown-device';
      if (typeof row !== 'string') {
        yield line('position', row);
        continue;
      }
      const known = problemsOf.get(device) ?? 0;
      problemsOf.set(device, known + 1);
      if (known < MOST_PROBLEMS_OF_A_DEVICE)
        problem({ what: 'position', row: nth, name: `device ${device}`, code: row, detail: '' });
    }
    for (const [device, count] of problemsOf) {
      const more = count - MOST_PROBLEMS_OF_A_DEVICE;
      if (more > 0)
        problem({ what: 'position', row: nth, name: `device ${device}`, code: 'refused', detail: `+ ${more}` });
    }
    yield `${JSON.stringify({ end: counts })}\n`;
  }
  return { lines: lines(), counts };
}

/** Names that have to differ, whatever their case: the second `Yard` is `Yard (2)`. */
class Names {
  readonly #taken = new Set<string>();

  free(name: string): string {
    let free = name;
    for (let nth = 2; this.#taken.has(free.toLowerCase()); nth++) free = `${name} (${nth})`;
    this.#taken.add(free.toLowerCase());
    return free;
  }
}

function isPossible(shape: GeofenceShape): boolean {
  try {
    refuseImpossibleShape(shape);
    return true;
  } catch {
    return false;
  }
}

const nameOf = ({ name }: Foreign, otherwise: string): string => {
  const text = String(name ?? '').trim();
  return text === '' ? otherwise : text;
};

const textOrNull = (value: unknown): string | null => {
  const text = String(value ?? '').trim();
  return text === '' ? null : text;
};

/** Each group after the one that it is in; a circle of groups is taken as it comes. */
function parentsFirst(groups: readonly Foreign[]): Foreign[] {
  const byId = new Map(groups.map(group => [Number(group.id), group]));
  const depthOf = (group: Foreign | undefined, depth = 0): number =>
    group === undefined || depth > groups.length ? depth : depthOf(byId.get(Number(group.groupid)), depth + 1);
  return groups.toSorted((a, b) => depthOf(a) - depthOf(b));
}
