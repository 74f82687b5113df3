import { toKnots } from '@milepost/units';
import type { PositionMessage } from '../protocol.ts';

/** The query of a report, as Traccar Client before version 9 sends it. The inverse of `query.ts`. */
export function encodeQuery(id: string, position: PositionMessage): string {
  const parameters = new URLSearchParams({
    id,
    timestamp: String(Math.round(position.time / 1000)),
    lat: String(position.lat),
    lon: String(position.lon),
    valid: String(position.valid),
  });
  const set = (name: string, value: string | number | boolean | null | undefined): void => {
    if (value !== null && value !== undefined) parameters.set(name, String(value));
  };
  set('speed', position.speed === null ? null : toKnots(position.speed));
  set('bearing', position.course);
  set('altitude', position.altitude);
  set('hdop', position.hdop);
  set('sat', position.satellites);
  set('ignition', position.ignition);
  set('odometer', position.odometer);
  set('fuel', position.fuel);
  set('event', position.event);
  set('driverUniqueId', position.rfid);
  const { accuracy, batteryLevel, charging, ...own } = position.attributes;
  set('accuracy', accuracy);
  set('batt', batteryLevel);
  set('charge', charging);
  for (const [name, value] of Object.entries(own)) set(name, value);
  return parameters.toString();
}
