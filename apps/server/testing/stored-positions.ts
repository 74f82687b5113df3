import { degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import type { Insertable } from 'kysely';
import type { Context } from '../src/context.ts';
import type { Database } from '../src/db/schema.ts';
import type { LiveStates } from '../src/fleet/live.ts';
import { advance, type VehicleState } from '../src/fleet/vehicle-state.ts';
import type { ReceivedPosition, StoredPosition } from '../src/tracks/stored-position.ts';

/** A report with a position, as a tracker in Chicago sends it. */
export function receivedPosition(timeMs: number, fields: Partial<ReceivedPosition> = {}): ReceivedPosition {
  return {
    fixAt: epochMs(timeMs),
    receivedAt: epochMs(timeMs + 800),
    lat: degrees(41.9),
    lon: degrees(-87.68),
    speed: metresPerSecond(0),
    course: degrees(90),
    altitude: metres(180),
    odometer: metres(1_234_567),
    fuel: percent(64.5),
    temperature: null,
    hdop: 0.9,
    satellites: 11,
    gsm: 21,
    valid: true,
    ignition: false,
    protocol: 'teltonika',
    event: null,
    rfid: null,
    attributes: { externalVoltage: 12.6 },
    ...fields,
  };
}

interface PositionsOfVehicle {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly positions: readonly ReceivedPosition[];
}

/** Stores positions as ingest would, each in its own message, and the resulting live state. */
export const storePositions = (
  server: { readonly context: Context; readonly live: LiveStates },
  accountId: number,
  vehicleId: number,
  positions: readonly ReceivedPosition[],
): Promise<void> => storePositionsOf(server, [{ accountId, vehicleId, positions }]);

export async function storePositionsOf(
  { context, live }: { readonly context: Context; readonly live: LiveStates },
  vehicles: readonly PositionsOfVehicle[],
): Promise<void> {
  const rows: Insertable<Database['position']>[] = [];
  const states: Insertable<Database['vehicle_state']>[] = [];
  for (const { accountId, vehicleId, positions } of vehicles) {
    const of = { account_id: accountId, vehicle_id: vehicleId };
    const keep = ({ fixAt, receivedAt, attributes, ...row }: StoredPosition) =>
      rows.push({
        ...row,
        ...of,
        fix_at: new Date(fixAt),
        received_at: new Date(receivedAt),
        attributes: attributes && JSON.stringify(attributes),
      });
    let state: VehicleState | null = live.of(vehicleId);
    for (const position of positions) {
      state = advance(state, { receivedAt: position.receivedAt, positions: [position] }, keep);
    }
    if (state === null) continue;
    live.set(accountId, vehicleId, state);
    states.push({
      ...of,
      heard_at: new Date(state.heardAt),
      live: JSON.stringify(state.motion),
      newest: JSON.stringify(state.newest),
    });
  }
  const { system } = context.db;
  for (let i = 0; i < rows.length; i += 1000) {
    await system
      .insertInto('position')
      .values(rows.slice(i, i + 1000))
      .execute();
  }
  if (states.length === 0) return;
  await system
    .insertInto('vehicle_state')
    .values(states)
    .onConflict(conflict =>
      conflict.column('vehicle_id').doUpdateSet(({ ref }) => ({
        heard_at: ref('excluded.heard_at'),
        live: ref('excluded.live'),
        newest: ref('excluded.newest'),
      })),
    )
    .execute();
}
