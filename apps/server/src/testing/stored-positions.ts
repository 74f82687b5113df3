import { degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import type { Context } from '../context.ts';
import type { LiveStates } from '../ingest/live.ts';
import type { ReceivedPosition, StoredPosition } from '../ingest/stored-position.ts';
import { advance, type VehicleState } from '../ingest/vehicle-state.ts';

/** A report with a place, as a tracker in Chicago sends it. */
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

/** Stores positions as ingest would, each a message of its own, with the live state that follows from them. */
export async function storePositions(
  { context, live }: { readonly context: Context; readonly live: LiveStates },
  accountId: number,
  vehicleId: number,
  positions: readonly ReceivedPosition[],
): Promise<void> {
  const rows: StoredPosition[] = [];
  let state: VehicleState | null = live.of(vehicleId);
  for (const position of positions) {
    state = advance(state, { receivedAt: position.receivedAt, positions: [position] }, row => rows.push(row));
  }
  if (state === null) return;
  live.set(accountId, vehicleId, state);
  const { system } = context.db;
  for (let i = 0; i < rows.length; i += 1000) {
    await system
      .insertInto('position')
      .values(
        rows.slice(i, i + 1000).map(({ fixAt, receivedAt, attributes, ...row }) => ({
          ...row,
          account_id: accountId,
          vehicle_id: vehicleId,
          fix_at: new Date(fixAt),
          received_at: new Date(receivedAt),
          attributes: attributes && JSON.stringify(attributes),
        })),
      )
      .execute();
  }
  const row = {
    heard_at: new Date(state.heardAt),
    live: JSON.stringify(state.motion),
    newest: JSON.stringify(state.newest),
  };
  await system
    .insertInto('vehicle_state')
    .values({ ...row, account_id: accountId, vehicle_id: vehicleId })
    .onConflict(conflict => conflict.column('vehicle_id').doUpdateSet(row))
    .execute();
}
