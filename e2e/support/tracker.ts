import { createVehicle, type NewVehicle } from '@milepost/contract';
import type { PositionMessage } from '@milepost/decoders';
import { degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import { teltonikaOverTcp } from '../../apps/simulator/src/tracker/teltonika.ts';
import type { Milepost } from './milepost.ts';
import { ownerApi } from './session.ts';

/** The Loop in Chicago; the offline map has streets all around it. */
export const LOOP = { lat: 41.8781, lon: -87.6298 } as const;

/** A position as a tracker measures it: driving north unless fields say otherwise. */
export function fix(timeMs: number, place: { lat: number; lon: number }, rest: Partial<PositionMessage> = {}) {
  return {
    kind: 'position',
    time: epochMs(Math.floor(timeMs / 1000) * 1000),
    valid: true,
    lat: degrees(place.lat),
    lon: degrees(place.lon),
    speed: metresPerSecond(12),
    course: degrees(0),
    altitude: metres(180),
    satellites: 11,
    hdop: 0.8,
    ignition: true,
    odometer: metres(418_270_600),
    fuel: percent(62),
    temperature: null,
    gsm: 25,
    event: null,
    rfid: null,
    attributes: {},
    ...rest,
  } satisfies PositionMessage;
}

/** Adds vehicles through the API as the owner. */
export async function addVehicles(milepost: Milepost, vehicles: readonly NewVehicle[]): Promise<void> {
  const http = await ownerApi(milepost);
  for (const body of vehicles) await http.call(createVehicle, { body });
}

/** Sends positions as a Teltonika tracker does over TCP, on a new connection; resolves when they are acknowledged. */
export async function report(
  milepost: Milepost,
  imei: string,
  ...positions: readonly PositionMessage[]
): Promise<void> {
  const port = milepost.app.trackerPorts.get('teltonika');
  if (port === undefined) throw new Error('The Teltonika gateway is off');
  const link = await teltonikaOverTcp('127.0.0.1', port, imei)();
  await link.send(positions);
  link.close();
}
