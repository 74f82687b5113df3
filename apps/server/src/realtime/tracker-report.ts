import { type TrackerPositionReport, trackerPositionReportSchema } from '@milepost/contract';
import type { PositionMessage } from '@milepost/decoders';
import {
  celsius,
  degrees,
  type EpochMs,
  epochMs,
  fromKilometres,
  fromKilometresPerHour,
  metres,
  percent,
} from '@milepost/units';

/** What a native MQTT tracker published on its topic. */
export type TrackerMessage =
  | { readonly kind: 'position'; readonly position: PositionMessage }
  /** An action of the specification that carries no position [R7.33]. */
  | { readonly kind: 'other'; readonly action: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** `positionPacket` is ignored; the others confirm a command. The spelling of the second is the specification's. */
const OTHER_ACTIONS: ReadonlySet<unknown> = new Set([
  'positionPacket',
  'setGprsIntervalConfirmed',
  'setAuthPhoneConfimed',
  'trackOnDemandConfirmed',
]);

const MAX_BYTES = 16_384;

export function readTrackerMessage(payload: Buffer): TrackerMessage {
  if (payload.length > MAX_BYTES) return { kind: 'invalid', reason: 'the message is too long' };
  let value: unknown;
  try {
    value = JSON.parse(payload.toString('utf8'));
  } catch {
    return { kind: 'invalid', reason: 'the message is no JSON' };
  }
  if (typeof value !== 'object' || value === null) return { kind: 'invalid', reason: 'the message is no JSON object' };
  if ('action' in value && OTHER_ACTIONS.has(value.action)) return { kind: 'other', action: String(value.action) };
  const parsed = trackerPositionReportSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { kind: 'invalid', reason: `${issue?.path.join('.') || 'the message'}: ${issue?.message ?? 'not right'}` };
  }
  const time = timeOf(parsed.data);
  if (time === null) return { kind: 'invalid', reason: 'reportDate and reportTime are no moment' };
  return { kind: 'position', position: toPositionMessage(parsed.data, time) };
}

/** Null for a day or an hour that no calendar has, which `Date` would roll over. */
function timeOf({ reportDate, reportTime }: TrackerPositionReport): EpochMs | null {
  const text = `${reportDate}T${reportTime}`;
  const time = Date.parse(`${text}Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text)) return null;
  return epochMs(time);
}

/** From the units of the wire to SI. A report that does not say otherwise vouches for its place. */
function toPositionMessage(report: TrackerPositionReport, time: EpochMs): PositionMessage {
  return {
    kind: 'position',
    time,
    valid: report.gpsStatus !== 'V',
    lat: degrees(report.lat),
    lon: degrees(report.lon),
    speed: converted(report.speed, fromKilometresPerHour),
    course: converted(report.course, degrees),
    altitude: converted(report.altitude, metres),
    satellites: report.satellites ?? null,
    hdop: report.hdop ?? null,
    ignition: converted(report.ignitionStatus, status => status === 1),
    odometer: converted(report.mileage, fromKilometres),
    fuel: converted(report.fuelGage, percent),
    temperature: converted(report.temp, celsius),
    gsm: report.gsmStatus ?? null,
    event: report.eventType ?? null,
    rfid: report.rfid ?? null,
    attributes: {},
  };
}

function converted<T>(value: number | null | undefined, convert: (value: number) => T): T | null {
  return value === null || value === undefined ? null : convert(value);
}
