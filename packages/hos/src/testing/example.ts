import { epochMs } from '@milepost/units';
import type { Exception } from '../exception.ts';
import type { RawLog, RawSegment } from '../raw-log.ts';
import type { RuleSetId } from '../rule-set-id.ts';
import { firstInstantAt, zoneNamed } from '../zone.ts';

/** A worked example of a rule: a log in shorthand, and what is left of its limits at an instant. */
export interface Example {
  /** What it shows. */
  readonly title: string;
  readonly ruleSet?: RuleSetId;
  /** `d1 06:00-07:00 ON; 07:00-11:00 D; 20:00-d2 06:00 OFF`: d1 is February 2, 2026 in Chicago, after two days off. */
  readonly log: string;
  /** The instant, `d1 20:30`; the end of the log when absent. */
  readonly asOf?: string;
  /** Minutes left of driving, window, break and cycle, with `-` where there is no such rule: `150 / 0 / 450 / 3390`. */
  readonly left?: string;
  readonly onDutyLeft?: number;
  /** `US_14H d1 20:00`; none when absent. */
  readonly violations?: readonly string[];
  /** Declared for the whole log, for part of it (`adverseDriving d1 12:00-14:00`), or from an instant on. */
  readonly declared?: readonly (Exception | `${Exception} ${string}`)[];
  /** Leaves out the two days off before d1. */
  readonly withoutPast?: true;
  readonly startOfDay?: string;
  /** The date of d1. */
  readonly d1?: string;
}

const TIME_ZONE = 'America/Chicago';
const DAY = 86_400_000;
const LOG_END = Date.parse('2099-01-01T00:00:00Z');

export interface ReadExample {
  readonly raw: RawLog;
  readonly asOf: number;
  readonly violations: readonly { readonly rule: string; readonly start: number }[];
}

export function readExample(example: Example): ReadExample {
  const clock = new Clock(example.d1 ?? '2026-02-02');
  const segments: RawSegment[] = example.log.split('; ').map(part => {
    const [, start = '', end = '', status = ''] = /^(.*?\d)-(.*?\d) ([A-Z]+)$/.exec(part) ?? [];
    return { start: clock.read(start), end: clock.read(end), status };
  });
  const end = Number(segments.at(-1)?.end);
  if (!example.withoutPast)
    segments.unshift({ status: 'OFF', start: clock.at(-1, '00:00'), end: segments[0]?.start ?? 0 });
  const declared = (example.declared ?? []).map(text => {
    const [exception = '', ...rest] = text.split(' ');
    const [start = '', until = ''] = rest.join(' ').split('-');
    return rest.length === 0
      ? { exception, start: segments[0]?.start ?? 0, end: LOG_END }
      : { exception, start: clock.read(start), ...(until && { end: clock.read(until) }) };
  });
  return {
    raw: {
      timezone: TIME_ZONE,
      homeTerminalStartOfDay: example.startOfDay ?? '00:00',
      segments,
      declarations: declared,
    },
    asOf: example.asOf === undefined ? end : clock.read(example.asOf),
    violations: (example.violations ?? []).map(text => {
      const [rule = '', ...rest] = text.split(' ');
      return { rule, start: clock.read(rest.join(' ')) };
    }),
  };
}

/** Reads times in order; a time without a day is on the same day as the one before it. */
class Clock {
  readonly #first: number;
  #day = 1;

  constructor(first: string) {
    this.#first = Date.parse(`${first}T00:00:00Z`);
  }

  read(text: string): number {
    const [, day, time] = /^(?:d(\d+) )?(\d\d:\d\d)$/.exec(text) ?? [];
    if (time === undefined) throw new Error(`“${text}” is no time`);
    if (day !== undefined) this.#day = Number(day);
    return this.at(this.#day, time);
  }

  at(day: number, time: string): number {
    const zone = zoneNamed(TIME_ZONE);
    if (zone === null) throw new Error('a zone without data');
    const [hours = 0, minutes = 0] = time.split(':').map(Number);
    const wall = this.#first + (day - 1) * DAY + (hours * 60 + minutes) * 60_000;
    return firstInstantAt(epochMs(wall), zone);
  }
}
