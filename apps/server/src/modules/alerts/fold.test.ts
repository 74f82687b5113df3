import { TRACKER_EVENTS } from '@milepost/decoders';
import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { AS_BUILT } from '../../fleet/built-in-alerts.ts';
import { type AlertState, type Chosen, foldAlerts, type Sighting } from './fold.ts';
import { EVENT_RULES } from './rules.ts';

const START = Date.UTC(2026, 10, 19, 14);
const MINUTE = 60_000;

/** A report, in minutes after the start. */
const report = (minute: number, event: string | null, fields: Partial<Sighting> = {}): Sighting => ({
  vehicleId: 1,
  accountId: 1,
  at: epochMs(START + minute * MINUTE),
  receivedAt: epochMs(START + minute * MINUTE + 800),
  late: false,
  event,
  protocol: 'teltonika',
  lat: 41.9,
  lon: -87.68,
  figures: {},
  driverId: null,
  speed: null,
  ignition: null,
  ...fields,
});

/** The resulting alerts, with each report in its own batch. */
function after(...reports: readonly Sighting[]): AlertState[] {
  const alerts = new Map<string, AlertState>();
  for (const each of reports) {
    for (const alert of foldAlerts([...alerts.values()], [each], () => `a${alerts.size}`)) alerts.set(alert.id, alert);
  }
  return [...alerts.values()];
}

const minutesOf = ({ kind, openedAt, updatedAt, closedAt, count }: AlertState) => [
  kind,
  (openedAt - START) / MINUTE,
  (updatedAt - START) / MINUTE,
  closedAt === null ? null : (closedAt - START) / MINUTE,
  count,
];
const story = (...reports: readonly Sighting[]) => after(...reports).map(minutesOf);

it('has a rule for every tracker event', () => {
  expect(Object.keys(EVENT_RULES).toSorted()).toEqual(TRACKER_EVENTS.toSorted());
});

describe('figures', () => {
  it('are the extremes while the alert lasts, in whatever order the reports come', () => {
    const speeds = [31, 38, 33].map((speed, i) => report(i, 'overspeed', { figures: { speed } }));
    expect(after(...speeds)[0]?.figures).toEqual({ speed: 38 });
    const late = speeds.map(each => ({ ...each, late: true }));
    expect(after(...late)[0]?.figures).toEqual({ speed: 38 });
    expect(after(...late.toReversed())[0]?.figures).toEqual({ speed: 38 });
    const batteries = [20, 12, 15].map((battery, i) => report(i, 'batteryLow', { figures: { battery } }));
    expect(after(...batteries)[0]?.figures).toEqual({ battery: 12 });
  });
});

describe('what an account chose', () => {
  const fold = (known: readonly AlertState[], each: Sighting, severityOf: Chosen['severityOf']) =>
    foldAlerts(known, [each], () => 'new', { ...AS_BUILT, severityOf });

  it('decides how severe an alert is, and whether a late one waits for an answer', () => {
    expect(fold([], report(0, 'harshBraking'), () => 'critical')).toMatchObject([{ severity: 'critical' }]);
    const late = { late: true };
    expect(fold([], report(0, 'harshBraking', late), () => 'critical')).toMatchObject([{ acknowledgedAt: null }]);
    const sos = fold([], report(0, 'sos', late), () => 'info');
    expect(sos).toMatchObject([{ severity: 'info', acknowledgedAt: expect.any(Number) }]);
  });

  it('opens nothing that it does not want, and lets what lasts go on', () => {
    const none = () => null;
    expect(fold([], report(0, 'overspeed'), none)).toEqual([]);
    expect(fold([], report(0, 'overspeed', { late: true }), none)).toEqual([]);
    const known = after(report(0, 'overspeed'));
    expect(fold(known, report(1, 'overspeed'), none)).toMatchObject([{ id: 'a0', count: 2 }]);
    expect(fold(known, report(1, 'overspeedEnd'), none)).toMatchObject([{ id: 'a0', closedAt: START + MINUTE }]);
  });
});

describe('one alert per condition', () => {
  it('opens with the event, and closes with the first report without it', () => {
    expect(story(report(0, null), report(1, 'sos'), report(2, null))).toEqual([['sos', 1, 1, 2, 1]]);
  });
  it('counts an alarm repeated in every report', () => {
    const standing = Array.from({ length: 300 }, (_, minute) => report(minute, 'sos', { protocol: 'jt808' }));
    expect(story(...standing, report(300, null, { protocol: 'jt808' }))).toEqual([['sos', 0, 299, 300, 300]]);
  });
  it('is a new one if the event returns after it closed', () => {
    expect(story(report(0, 'sos'), report(1, null), report(2, 'sos'))).toEqual([
      ['sos', 0, 0, 1, 1],
      ['sos', 2, 2, null, 1],
    ]);
  });
  it('stays open until the tracker reports its end, if it does', () => {
    expect(story(report(0, 'powerCut'), report(1, null), report(90, 'powerRestored'))).toEqual([
      ['powerCut', 0, 0, 90, 1],
    ]);
  });
  it('closes with the first report without it if the tracker repeats it in every report', () => {
    const h02 = { protocol: 'h02' } as const;
    expect(story(report(0, 'powerCut', h02), report(1, 'powerCut', h02), report(2, null, h02))).toEqual([
      ['powerCut', 0, 1, 2, 2],
    ]);
  });
  it('collects repeated events', () => {
    const rough = [0, 2, 5, 9].flatMap(minute => [report(minute, 'harshBraking'), report(minute + 1, null)]);
    expect(story(...rough, report(30, null))).toEqual([['harshDriving', 0, 9, 30, 4]]);
  });
  it('keeps conditions and vehicles apart', () => {
    const other = { vehicleId: 2 };
    expect(story(report(0, 'powerCut'), report(1, 'overspeed'), report(2, 'sos', other), report(3, null))).toEqual([
      ['powerCut', 0, 0, null, 1],
      ['overspeed', 1, 1, null, 1],
      ['sos', 2, 2, null, 1],
    ]);
  });
  it('ignores events that don’t affect alerts', () => {
    expect(story(report(0, 'ignitionOn'), report(1, 'no such word'), report(2, 'constructor'))).toEqual([]);
  });
});

describe('a late report', () => {
  it('belongs to the alert open at its time', () => {
    expect(story(report(0, 'powerCut'), report(9, null), report(5, 'powerCut', { late: true }))).toEqual([
      ['powerCut', 0, 0, null, 2],
    ]);
  });
  it('belongs to the alert open at its time before the late one of its hour, in whatever order they were read', () => {
    const before = after(report(5, 'sos'), report(1, 'sos', { late: true }), report(20, null));
    expect(before.map(({ late }) => late)).toEqual([false, true]);
    for (const known of [before, before.toReversed()]) {
      const [changed] = foldAlerts(known, [report(10, 'sos', { late: true })], () => 'new');
      expect(changed).toMatchObject({ late: false, count: 2 });
    }
  });
  it('opens one alert per hour, closed from the start and marked late', () => {
    const late = (minute: number) => report(minute, 'sos', { late: true });
    const alerts = after(report(100, null), late(7), late(3), late(59), late(61));
    expect(alerts.map(minutesOf)).toEqual([
      ['sos', 3, 59, 59, 3],
      ['sos', 61, 61, 61, 1],
    ]);
    expect(alerts.every(({ late: isLate }) => isLate)).toBe(true);
  });
  it('closes nothing', () => {
    expect(story(report(9, 'sos'), report(5, null, { late: true }))).toEqual([['sos', 9, 9, null, 1]]);
  });
  it('needs no attention, unless it is a call for help', () => {
    const late = { late: true };
    const alerts = after(report(100, null), report(7, 'sos', late), report(8, 'overspeed', late));
    expect(alerts.map(({ acknowledgedAt }) => acknowledgedAt === null)).toEqual([true, false]);
  });
  it('needs no attention if it is older than a day', () => {
    const [old, fresh] = after(
      report(0, 'sos', { receivedAt: epochMs(START + 25 * 60 * MINUTE) }),
      report(1, null),
      report(2, 'sos'),
    );
    expect([old?.acknowledgedAt, fresh?.acknowledgedAt]).toEqual([START + 25 * 60 * MINUTE, null]);
  });
  it('needs attention if the alarm of a backlog still lasts', () => {
    const receivedAt = epochMs(START + 30 * 60 * MINUTE);
    const standing = (hour: number) => report(hour * 60, 'powerCut', { receivedAt, protocol: 'jt808' });
    const alerts = after(...[0, 3, 5, 7, 29].map(standing));
    expect(alerts.map(minutesOf)).toEqual([
      ['powerCut', 0, 300, 420, 3],
      ['powerCut', 420, 1740, null, 2],
    ]);
    expect(alerts.map(({ acknowledgedAt }) => acknowledgedAt)).toEqual([receivedAt, null]);
  });
  it('is counted in the same alert whether it comes before the alarm is current, or after', () => {
    const at = (hour: number, late = false) =>
      report(hour * 60, 'powerCut', { receivedAt: epochMs(START + 30 * 60 * MINUTE), late });
    expect(story(at(0), at(5, true), at(7), at(6, true))).toEqual(story(at(0), at(7), at(6, true), at(5, true)));
  });
  it('does not reopen an acknowledged alarm, even if the user was deleted since', () => {
    const standing = (minute: number) => report(minute, 'powerCut', { protocol: 'jt808' });
    const [alert] = after(standing(0));
    if (!alert) throw new Error('The alarm opened no alert');
    for (const acknowledgedBy of ['nora', null]) {
      const known = { ...alert, acknowledgedAt: epochMs(START + MINUTE), acknowledgedBy };
      expect(foldAlerts([known], [standing(2)], () => 'another').map(({ id }) => id)).toEqual([alert.id]);
    }
  });

  it('opens none of a kind that is quiet after an alert, until its time is over; late ones are history anyway', () => {
    const chosen = { ...AS_BUILT, cooldownMs: () => 10 * MINUTE };
    const sent = (known: readonly AlertState[], each: Sighting) => foldAlerts(known, [each], () => 'new', chosen);
    const over = after(report(0, 'sos'), report(1, null));
    expect(over).toMatchObject([{ closedAt: START + MINUTE }]);
    expect(sent(over, report(9, 'sos'))).toEqual([]);
    expect(sent(over, report(10, 'sos'))).toMatchObject([{ id: 'new' }]);
    expect(sent(over, report(9, 'crash'))).toMatchObject([{ id: 'new' }]);
    expect(sent(over, report(9, 'sos', { late: true }))).toMatchObject([{ id: 'new', late: true }]);
  });
});
