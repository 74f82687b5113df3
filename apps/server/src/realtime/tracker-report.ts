import {
  COMMAND_ACTIONS,
  type CommandAction,
  fieldErrorOf,
  type TrackerPositionReport,
  trackerPositionReportSchema,
} from '@milepost/contract';
import { type DecodedMessage, type PositionMessage, possible } from '@milepost/decoders';
import {
  celsius,
  degrees,
  type EpochMs,
  fromKilometres,
  fromKilometresPerHour,
  metres,
  percent,
} from '@milepost/units';
import type { TrackerReply } from '../ingest/tracker-reply.ts';
import { isPlainReport } from './plain-report.ts';
import { reportedAt } from './reported-at.ts';

/** What a native MQTT tracker published on its topic. */
export type TrackerMessage =
  /** A position, or a status that says why it is none. */
  | { readonly kind: 'position'; readonly position: DecodedMessage }
  /** It has done a command, or refuses it [R7.33]. */
  | { readonly kind: 'reply'; readonly reply: Omit<TrackerReply, 'protocol'> & { readonly action: CommandAction } }
  /** What is known and of no use here: `positionPacket` [R7.33]. */
  | { readonly kind: 'ignored'; readonly action: string }
  | { readonly kind: 'invalid'; readonly reason: string };

const IGNORED: ReadonlySet<unknown> = new Set(['positionPacket']);
/** A command of the catalogue, then what became of it. The specification spells one of them with an `r` less. */
const ABOUT_COMMAND = /^([A-Za-z]{1,40}?)(Confirmed|Confimed|Refused)$/;
const ANSWER_CHARACTERS = 2000;

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
  if (isPlainReport(value)) return positionOf(value);
  if ('action' in value && IGNORED.has(value.action)) return { kind: 'ignored', action: String(value.action) };
  const reply = replyIn(value);
  if (reply) return { kind: 'reply', reply };
  const report = reportIn(value);
  if ('reason' in report) return { kind: 'invalid', reason: report.reason };
  return positionOf(report);
}

function positionOf(report: TrackerPositionReport): TrackerMessage {
  const time = reportedAt(report.reportDate, report.reportTime);
  if (time === null) return { kind: 'invalid', reason: 'reportDate and reportTime are no moment' };
  return { kind: 'position', position: possible(toPositionMessage(report, time)) };
}

/** What a report is not one without. */
const REQUIRED: ReadonlySet<unknown> = new Set(['action', 'lat', 'lon', 'reportDate', 'reportTime']);

/** Whatever else does not say what it must (a signal of 99, a course as text) is left out: the place is worth more. */
function reportIn(value: object): TrackerPositionReport | { readonly reason: string } {
  const parsed = trackerPositionReportSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const issue = issues.find(({ path: [name] }) => name === undefined || REQUIRED.has(name));
  const wrong = new Set(issues.map(({ path: [name] }) => name));
  const rest = Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)));
  const again = issue ? parsed : trackerPositionReportSchema.safeParse(rest);
  if (again.success) return again.data;
  return { reason: `${issue?.path.join('.') || 'the message'}: ${issue ? fieldErrorOf(issue).message : 'not valid'}` };
}

/**
 * `id` is the number that the command came with. The answer is `answer` where there is one, else all that stands beside:
 * `{"action":"getStatusConfirmed","battery":12.6}`.
 */
function replyIn(message: object): Extract<TrackerMessage, { kind: 'reply' }>['reply'] | null {
  const { action: said, id, answer, ...rest } = message as Record<string, unknown>;
  const [, name = '', end] = (typeof said === 'string' && ABOUT_COMMAND.exec(said)) || [];
  const action = COMMAND_ACTIONS.find(each => each === name);
  if (action === undefined) return null;
  const text = answer === undefined ? (Object.keys(rest).length > 0 ? JSON.stringify(rest) : '') : answer;
  return {
    action,
    refused: end === 'Refused',
    reference: Number.isInteger(id) ? Number(id) : null,
    text: (typeof text === 'string' ? text : JSON.stringify(text)).slice(0, ANSWER_CHARACTERS),
  };
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
