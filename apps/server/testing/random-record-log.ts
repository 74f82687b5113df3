import {
  DUTY_CODES,
  DUTY_STATES,
  type DutyEvent,
  type EldEvent,
  type LogEntry,
  openLog,
  type RecordLog,
  withCheck,
} from '@milepost/eld';
import type { HomeTerminal } from '@milepost/hos';
import fc from 'fast-check';

/** Logs of random days, around clock changes too, with what makes them and what a minute of them shows. */

export interface RandomRecordLog {
  readonly log: RecordLog;
  readonly entries: readonly LogEntry[];
  readonly now: number;
  readonly home: HomeTerminal;
}

const MINUTE = 60_000;
/** Days before both clock changes of 2026 in the United States, and one without. */
const STARTS = [Date.UTC(2026, 2, 6), Date.UTC(2026, 9, 30), Date.UTC(2026, 5, 10)];

const step = fc.record({
  kind: fc.constantFrom('OFF', 'SB', 'D', 'ON', 'personal-use', 'yard-move', 'none', 'edit', 'sleep', 'certify'),
  minutes: fc.integer({ min: 1, max: 600 }),
});

export const randomRecordLog = fc
  .record({
    start: fc.constantFrom(...STARTS),
    home: fc.record({
      timeZone: fc.constantFrom('America/Chicago', 'America/Phoenix', 'America/Halifax', 'America/Anchorage'),
      startOfDay: fc.constantFrom(0, 120, 720, 1439),
    }),
    steps: fc.array(step, { minLength: 1, maxLength: 40 }),
    after: fc.integer({ min: 0, max: 2000 }),
  })
  .map(({ start, home, steps, after }): RandomRecordLog => {
    const log = openLog({ log: 'driver:12', home });
    const entries: LogEntry[] = [];
    let made = 0;
    let at = start;
    const add = (body: object): void => {
      const id = `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;
      const entry = { id, log: 'driver:12', recordedAt: at, by: 'driver-12', ...body } as LogEntry;
      if (log.append(entry) === null) entries.push(entry);
    };
    for (const { kind, minutes } of steps) {
      const duty = DUTY_STATES.find(name => name === kind);
      const record = (event: EldEvent) => ({ action: 'record', device: 'vehicle:7', event });
      if (duty) add(record(event(1, DUTY_CODES[duty], at, duty === 'D' ? 'automatic' : 'driver', made)));
      else if (kind === 'personal-use') add(record(event(3, 1, at, 'driver', made)));
      else if (kind === 'yard-move') add(record(event(3, 2, at, 'driver', made)));
      else if (kind === 'none') add(record(event(3, 0, at, 'driver', made)));
      else if (kind === 'certify') {
        const date = new Date(at - 36 * 60 * MINUTE).toISOString().slice(0, 10);
        const code = Math.min(9, (log.day(date)?.certifications ?? 0) + 1);
        const head = { sequence: 0, at, vehicle: VEHICLE, trailers: '', shippingDocument: '' };
        add({
          action: 'certify',
          device: 'vehicle:7',
          event: { ...head, type: 4, code, zoneOffset: '06', date },
        });
      } else if (kind === 'edit' || kind === 'sleep') {
        const old = log.records().findLast(({ event: { type }, status }) => type === 1 && status === 'active');
        if (old) {
          const changed = event(1, kind === 'sleep' ? DUTY_CODES.SB : DUTY_CODES.ON, old.event.at, 'driver', made);
          add({
            action: 'edit',
            device: 'vehicle:7',
            replaces: old.id,
            event: { ...changed, annotation: 'Wrong button' },
          });
        }
      }
      at += minutes * MINUTE;
    }
    return { log, entries, now: at + after * MINUTE, home };
  });

const VEHICLE = { powerUnit: 'T204', vin: '1M8GDM9AXKP042788' };

function event(type: 1 | 3, code: number, at: number, origin: DutyEvent['origin'], made: number): DutyEvent {
  return withCheck(
    {
      sequence: 0,
      at,
      vehicle: VEHICLE,
      trailers: 'T900',
      shippingDocument: 'BOL 7741',
      type,
      code,
      origin,
      miles: (made * 37) % 900,
      hours: 1.5,
      lat: '41.88',
      lon: '-87.63',
      milesSinceFix: 0,
      malfunction: false,
      diagnostic: false,
      annotation: '',
      placeByDriver: null,
      place: '1mi E IL Chicago',
    },
    'arivera',
    'America/Chicago',
  );
}
