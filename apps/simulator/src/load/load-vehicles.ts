import type { HttpClient } from '@milepost/client';
import {
  hasImeiCheckDigit,
  importVehicles,
  listVehicles,
  type TrackerProtocol,
  updateVehicle,
  type Vehicle,
} from '@milepost/contract';

const nameOf = (number: number): string => `Load ${String(number + 1).padStart(5, '0')}`;

/** Vehicles used only for load, which report over this protocol; missing ones are added to the account. */
export async function loadVehicles(count: number, protocol: TrackerProtocol, http: HttpClient): Promise<Vehicle[]> {
  const wanted = Array.from({ length: count }, (_, number) => nameOf(number));
  const find = async (): Promise<Map<string, Vehicle>> =>
    new Map((await http.call(listVehicles)).map(vehicle => [vehicle.deviceName, vehicle]));
  const known = await find();
  const missing = wanted.flatMap((name, number) => (known.has(name) ? [] : [`${testImei(number)},${name}`]));
  if (missing.length > 0) {
    const body = ['imei,deviceName', ...missing].join('\n');
    await http.call(importVehicles, { query: { dryRun: 'false' }, body });
  }
  const all = missing.length > 0 ? await find() : known;
  const vehicles = wanted.flatMap(name => all.get(name) ?? []);
  for (const vehicle of vehicles) {
    if (vehicle.protocol === null || vehicle.protocol === protocol) continue;
    await http.call(updateVehicle, { params: { id: vehicle.id }, body: { protocol } });
  }
  return vehicles;
}

/** An IMEI from the range for test equipment (reporting body 00, GSMA TS.06), so that no real tracker has it. */
function testImei(number: number): string {
  const body = `00101099${String(number).padStart(6, '0')}`;
  const digit = Array.from({ length: 10 }, (_, each) => each).find(each => hasImeiCheckDigit(`${body}${each}`));
  return `${body}${digit}`;
}
