import type { DecodedMessage, PositionMessage, TrackerEvent } from '@milepost/decoders';
import { degrees, type EpochMs } from '@milepost/units';
import type { VehicleState } from '../fleet/vehicle-state.ts';
import type { ReceivedPosition } from '../tracks/stored-position.ts';

type Status = Extract<DecodedMessage, { kind: 'status' }>;

/**
 * An alarm without a place must not be lost, for it will be acknowledged: it becomes an invalid fix at the place where
 * the vehicle last was for sure, or at 0°/0°, which is marked. A status without an event is a sign of life.
 */
export function statusAsPosition(
  status: Status,
  state: VehicleState | null,
  receivedAt: EpochMs,
): PositionMessage | null {
  if (status.event === null) return null;
  const place = state?.motion.place ?? { lat: degrees(0), lon: degrees(0) };
  return {
    kind: 'position',
    time: status.time ?? receivedAt,
    valid: false,
    lat: place.lat,
    lon: place.lon,
    speed: null,
    course: null,
    altitude: null,
    satellites: null,
    hdop: null,
    ignition: null,
    odometer: null,
    fuel: null,
    temperature: null,
    gsm: null,
    event: status.event,
    rfid: null,
    attributes: status.attributes,
  };
}

/** Somebody may be in danger, or the vehicle is being stolen: private time does not hide that, only the place. */
const SAFETY_EVENTS: ReadonlySet<string> = new Set<TrackerEvent>([
  'sos',
  'powerCut',
  'crash',
  'rollover',
  'fall',
  'theft',
  'tamper',
  'towing',
  'jamming',
]);

/** What of a hidden position is shown: an alarm, at the last place that was not private. */
export function alarmOf(hidden: ReceivedPosition, state: VehicleState | null): ReceivedPosition[] {
  if (hidden.event === null || !SAFETY_EVENTS.has(hidden.event)) return [];
  const place = state?.motion.place ?? { lat: degrees(0), lon: degrees(0) };
  return [
    {
      ...{ fixAt: hidden.fixAt, receivedAt: hidden.receivedAt, protocol: hidden.protocol, event: hidden.event },
      ...{ lat: place.lat, lon: place.lon, valid: false },
      ...{ speed: null, course: null, altitude: null, odometer: null, fuel: null, temperature: null, hdop: null },
      ...{ satellites: null, gsm: null, ignition: null, rfid: null, attributes: null },
    },
  ];
}
