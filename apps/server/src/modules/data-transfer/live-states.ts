import { celsius, degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import type { AccountTransaction } from '../../db/database.ts';
import type { ReceivedPosition } from '../../ingest/stored-position.ts';
import { advance, type VehicleState } from '../../ingest/vehicle-state.ts';
import type { Row } from './rows.ts';

/** How each vehicle is, as it follows from the positions that are brought in (invariant I6). */
export class LiveStatesOfImport {
  readonly states = new Map<number, VehicleState>();

  take(vehicleId: number, row: Row<'position'>): void {
    const position = toReceived(row);
    const message = { receivedAt: position.receivedAt, positions: [position] };
    this.states.set(
      vehicleId,
      advance(this.states.get(vehicleId) ?? null, message, () => {}),
    );
  }

  async write(trx: AccountTransaction, accountId: number): Promise<void> {
    for (const [vehicleId, state] of this.states) {
      await trx
        .insertInto('vehicle_state')
        .values({
          account_id: accountId,
          vehicle_id: vehicleId,
          heard_at: new Date(state.heardAt),
          live: JSON.stringify(state.motion),
          newest: JSON.stringify(state.newest),
        })
        .execute();
    }
  }
}

function toReceived(row: Row<'position'>): ReceivedPosition {
  const { altitude, course, fuel, odometer, speed, temperature } = row;
  return {
    fixAt: epochMs(Date.parse(row.fix_at)),
    receivedAt: epochMs(Date.parse(row.received_at)),
    lat: degrees(row.lat),
    lon: degrees(row.lon),
    speed: speed === null ? null : metresPerSecond(speed),
    course: course === null ? null : degrees(course),
    altitude: altitude === null ? null : metres(altitude),
    odometer: odometer === null ? null : metres(odometer),
    fuel: fuel === null ? null : percent(fuel),
    temperature: temperature === null ? null : celsius(temperature),
    hdop: row.hdop,
    satellites: row.satellites,
    gsm: row.gsm,
    valid: row.valid,
    ignition: row.ignition,
    protocol: row.protocol,
    event: row.event,
    rfid: row.rfid,
    attributes: row.attributes,
  };
}
