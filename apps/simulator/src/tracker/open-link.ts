import type { HttpClient } from '@milepost/client';
import { renewDeviceKey, type TrackerProtocol, type Vehicle } from '@milepost/contract';
import type { Target } from '../target.ts';
import { framedLink } from './framed.ts';
import { gt06OverTcp } from './gt06.ts';
import type { OpenLink } from './link.ts';
import { mqttOverTcp } from './mqtt.ts';
import { osmandOverHttp } from './osmand.ts';
import { teltonikaOverTcp, teltonikaOverUdp } from './teltonika.ts';

/** Opens a vehicle's connection to the server; null if its protocol's gateway is off. */
export async function linkFor(
  vehicle: Pick<Vehicle, 'id' | 'imei'>,
  protocol: TrackerProtocol,
  { host, ports }: Target,
  http: HttpClient,
  { overUdp = false } = {},
): Promise<OpenLink | null> {
  const port = ports[protocol];
  if (!port) return null;
  if (protocol !== 'mqtt') return openTracker(protocol, host, port, vehicle.imei, overUdp);
  const { deviceKey } = await http.call(renewDeviceKey, { params: { id: vehicle.id } });
  return mqttOverTcp(host, port, vehicle.imei, deviceKey);
}

/** The same for a tracker that needs no key. */
export function openTracker(
  protocol: Exclude<TrackerProtocol, 'mqtt'>,
  host: string,
  port: number,
  imei: string,
  overUdp = false,
): OpenLink | null {
  switch (protocol) {
    case 'gt06':
      return gt06OverTcp(host, port, imei);
    case 'osmand':
      return osmandOverHttp(host, port, imei);
    case 'teltonika':
      return overUdp ? teltonikaOverUdp(host, port, imei) : teltonikaOverTcp(host, port, imei);
    default:
      return framedLink(protocol, host, port, imei, overUdp);
  }
}
