import { type Alert, alertSubject, type Conflict, filledMessage, type NearTown, TRACKERS } from '@milepost/contract';
import { compassPoint } from '@milepost/geo';
import {
  celsius,
  degrees,
  fromKilometresPerHour,
  metres,
  toFahrenheit,
  toKilometres,
  toKilometresPerHour,
  toMiles,
  toMilesPerHour,
} from '@milepost/units';
import type { Mail } from '../../mail/mailer.ts';
import { REQUEST } from '../alerts/audience.ts';
import type { Reason } from './mail-preferences.ts';
import type { Recipient } from './recipients.ts';
import type { Texts } from './texts/mail-texts.ts';
import { TEXTS } from './texts/texts.ts';

/** An alert as it appears in one recipient's email. */
export interface AlertDetail {
  readonly alert: Alert;
  readonly reason: Reason;
  /** It waited for the end of quiet hours. */
  readonly held: boolean;
  /** It was beyond their limit of alerts a day. */
  readonly isBeyond: boolean;
  /** What its rule says; null without one. */
  readonly sentence: string | null;
}

/** More would be read by nobody; the list of alerts has them all. */
const LISTED = 50;
const URGENCY: Readonly<Record<Alert['severity'], number>> = { critical: 0, warning: 1, info: 2 };

/** One email with all waiting alerts of a recipient, in their language, time zone and units. Contains no secrets. */
export function composeAlertMail(recipient: Recipient, told: readonly AlertDetail[], publicUrl: string): Mail {
  const texts = TEXTS[recipient.language];
  const alerts = told.toSorted(
    (a, b) => URGENCY[a.alert.severity] - URGENCY[b.alert.severity] || a.alert.openedAt.localeCompare(b.alert.openedAt),
  );
  const opening = [texts.came(alerts.length, recipient.organisation.name)];
  if (alerts.some(({ held }) => held)) opening.push(texts.held);
  const beyond = alerts.filter(({ isBeyond }) => isBeyond).length;
  if (beyond > 0) opening.push(texts.beyond(beyond));
  const paragraphs = [
    texts.hello(recipient.name),
    opening.join(' '),
    ...alerts.slice(0, LISTED).map(each => paragraphOf(each, recipient, texts, publicUrl)),
    ...(alerts.length > LISTED ? [texts.more(alerts.length - LISTED)] : []),
    `${texts.all} ${publicUrl}/alerts\n${texts.choose} ${publicUrl}/profile/notifications`,
  ];
  return { to: recipient.address, subject: subjectOf(alerts, texts), text: `${paragraphs.join('\n\n')}\n` };
}

export function composeTestMail(recipient: Pick<Recipient, 'name' | 'address' | 'language'>): Mail {
  const { hello, test } = TEXTS[recipient.language];
  return { to: recipient.address, subject: test.subject, text: `${hello(recipient.name)}\n\n${test.text}\n` };
}

/** One alert as a notification, in the reader's language, time zone and units. */
export function composeAlertPush(
  recipient: Recipient,
  alert: Alert,
  reason: Reason,
  /** What its rule waits for. */
  condition: string | null,
): { readonly title: string; readonly body: string } {
  const texts = TEXTS[recipient.language];
  const heading = headingOf(alert, texts);
  return {
    title: reason === 'opened' ? heading : texts.subjectUnanswered(heading),
    body:
      messageOf(alert, recipient) ??
      [factsOf(alert, recipient, texts).join(' · '), condition].filter(Boolean).join('\n'),
  };
}

/** Of what was beyond the reader's limit of alerts a day. */
export function composeDigestPush({ choice, language }: Recipient, count: number) {
  const { body, title } = TEXTS[language].digest;
  return { title: title(count), body: body(choice.dailyLimit) };
}

/** What the desk asks a driver for, in the driver's language. */
export function composeReminderPush(
  { language }: Pick<Recipient, 'language'>,
  about: keyof Texts['reminder'],
  by: string,
  count: number,
): { readonly title: string; readonly body: string } {
  const { body, title } = TEXTS[language].reminder[about];
  return { title: title(count), body: body(by, count) };
}

function subjectOf(told: readonly AlertDetail[], texts: Texts): string {
  const [first] = told;
  const subject =
    told.length === 1 && first
      ? headingOf(first.alert, texts)
      : texts.subjectMany(told.length, told.filter(({ alert }) => alert.severity === 'critical').length);
  return told.some(({ reason }) => reason !== 'opened') ? texts.subjectUnanswered(subject) : subject;
}

const headingOf = (alert: Alert, texts: Texts): string => {
  const { event, kind, rule, severity } = alert;
  const what = rule?.name ?? texts.event[event ?? ''] ?? texts.kind[kind];
  return [texts.severity[severity], what, alertSubject(alert)].join(' · ');
};

function paragraphOf(
  { alert, reason, sentence }: AlertDetail,
  recipient: Recipient,
  texts: Texts,
  publicUrl: string,
): string {
  const { acknowledgedAt, acknowledgedBy, closedAt, count, kind, late, openedAt } = alert;
  const time = (iso: string): string => formatMoment(iso, recipient);
  const conflict = alert.conflict && formatConflict(alert.conflict, recipient, texts);
  // This one ends when its time to answer runs out, so it is reported while it is open.
  const isAsked = kind === REQUEST;
  const state = [
    count > 1 && texts.times(count),
    late && texts.late,
    !late && closedAt !== null && closedAt !== openedAt && texts[isAsked ? 'undecided' : 'ended'](time(closedAt)),
    reason !== 'opened' && texts.unanswered,
    acknowledgedAt !== null && acknowledgedBy !== null && texts.acknowledged(acknowledgedBy.name, time(acknowledgedAt)),
  ];
  const lines = [
    headingOf(alert, texts),
    messageOf(alert, recipient),
    factsOf(alert, recipient, texts).join(' · '),
    conflict,
    sentence,
    alert.rule?.action,
    state.filter(Boolean).join(' '),
    linkTo(alert, publicUrl),
  ];
  return lines.filter(Boolean).join('\n');
}

/** The message of its rule, filled in the reader's language, time zone and units; null if it has none. */
export function messageOf(alert: Alert, reader: Reader): string | null {
  const { driver, geofence, openedAt, rule } = alert;
  if (!rule?.message) return null;
  return filledMessage(rule.message, {
    rule: rule.name ?? TEXTS[reader.language].kind[alert.kind],
    vehicle: alertSubject(alert),
    driver: driver?.name ?? null,
    geofence: rule.geofence ?? geofence,
    other: rule.other?.name ?? null,
    time: formatMoment(openedAt, reader),
    place: placeOf(alert, reader),
    speed: alert.figures.speed === null ? null : formatSpeed(alert.figures.speed, reader),
    measured: formatFigures(alert, reader).join(', '),
    action: rule.action,
  });
}

function placeOf({ address, lat, lon, near }: Alert, reader: Reader): string | null {
  const coordinates = lat === null || lon === null ? null : `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
  return near ? formatNear(near, reader, TEXTS[reader.language]) : (address ?? coordinates);
}

/** When, who drove, where, and what was measured. */
function factsOf(alert: Alert, recipient: Recipient, texts: Texts): string[] {
  const { deviceName, driver, geofence, openedAt, rule, task } = alert;
  const place = placeOf(alert, recipient);
  const facts = [
    formatMoment(openedAt, recipient),
    driver?.name,
    rule?.geofence ? geofenceOf(rule, texts) : geofence,
    rule?.other && texts.otherVehicle(rule.other.name),
    ...(rule?.about ? [...rule.about.titles, formatDay(rule.about.on, recipient)] : []),
    // Of one without a vehicle, the heading names it.
    deviceName === null ? task?.ref && task.title : task && (task.ref ?? task.title),
    task?.dueTo && texts.taskDue(formatMoment(task.dueTo, recipient)),
    place,
    ...formatFigures(alert, recipient),
  ];
  return facts.filter((fact): fact is string => Boolean(fact));
}

function geofenceOf({ crossing, expected, geofence }: NonNullable<Alert['rule']>, texts: Texts): string | null {
  if (geofence !== null && expected !== null) return texts.insteadOf(geofence, expected);
  return geofence === null || crossing === null ? geofence : texts.crossing[crossing](geofence);
}

/** The list of alerts, narrowed to the vehicle or the task, and the kind. */
function linkTo(alert: Alert, publicUrl: string): string {
  const query = new URLSearchParams({ q: alertSubject(alert), kind: alert.kind });
  if (alert.acknowledgedAt !== null) query.set('state', 'acknowledged');
  return `${publicUrl}/alerts?${query}`;
}

export type Reader = Pick<Recipient, 'language' | 'timeZone' | 'distanceUnit' | 'temperatureUnit'>;

const formatMoment = (iso: string, { language, timeZone }: Reader): string =>
  new Intl.DateTimeFormat(language, {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    ...{ hourCycle: 'h23', timeZoneName: 'short' },
  }).format(Date.parse(iso));

const formatDay = (date: string, { language }: Reader): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(date));

/** `3 mi SSW of Whitestown, IN` */
function formatNear({ bearing, distanceM, town }: NearTown, { distanceUnit, language }: Reader, texts: Texts): string {
  const isMiles = distanceUnit === 'mi';
  const away = isMiles ? toMiles(metres(distanceM)) : toKilometres(metres(distanceM));
  const distance = new Intl.NumberFormat(language, { maximumFractionDigits: 0 }).format(Math.max(1, away));
  return texts.near(`${distance} ${isMiles ? 'mi' : 'km'}`, compassPoint(degrees(bearing)), town);
}

const formatSpeed = (kmh: number | null, { distanceUnit, language }: Reader): string => {
  if (kmh === null) return '–';
  const pace = fromKilometresPerHour(kmh);
  const isMiles = distanceUnit === 'mi';
  const figure = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  return `${figure.format(isMiles ? toMilesPerHour(pace) : toKilometresPerHour(pace))} ${isMiles ? 'mph' : 'km/h'}`;
};

function formatConflict(conflict: Conflict, reader: Reader, texts: Texts): string {
  const { address, cause, distanceKm, own, protocol, speeds } = conflict;
  const isMiles = reader.distanceUnit === 'mi';
  const away = isMiles ? toMiles(metres((distanceKm ?? 0) * 1000)) : (distanceKm ?? 0);
  const distance = new Intl.NumberFormat(reader.language, { maximumFractionDigits: 1 }).format(away);
  return texts.conflict[cause]({
    ...{ protocol: TRACKERS[protocol].title, own: own === null ? '' : TRACKERS[own].title, address: address ?? '?' },
    speeds: (speeds ?? []).map(speed => formatSpeed(speed, reader)).join(' / '),
    distance: `${distance} ${isMiles ? 'mi' : 'km'}`,
  });
}

/** How fast, how warm, how empty, in the recipient's units. */
function formatFigures({ figures }: Alert, reader: Reader): string[] {
  const { language, temperatureUnit } = reader;
  const { speed, temp, battery, supply, fuelLost } = figures;
  const number = (value: number, digits = 0): string =>
    new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);
  const heat = temp === null ? null : temperatureUnit === 'f' ? toFahrenheit(celsius(temp)) : temp;
  return [
    speed === null ? '' : formatSpeed(speed, reader),
    heat === null ? '' : `${number(heat, 1)} °${temperatureUnit === 'f' ? 'F' : 'C'}`,
    battery === null ? '' : `${number(battery)} %`,
    supply === null ? '' : `${number(supply, 1)} V`,
    fuelLost === null ? '' : `−${number(fuelLost)} %`,
  ].filter(Boolean);
}
