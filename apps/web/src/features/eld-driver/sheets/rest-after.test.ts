import { expect, it } from 'vitest';
import { restAfter } from './rest-after.ts';

const at = (time: string) => Date.parse(`2026-11-21T${time}:00Z`);
type Segment = readonly [status: string, start: string, end: string | null];
const log = (...segments: readonly Segment[]) => ({
  dutyLog: {
    ...{ ruleset: 'US_PROPERTY_70_8', timezone: 'America/Chicago', homeTerminalStartOfDay: '00:00', declarations: [] },
    segments: segments.map(([status, start, end]) => ({
      ...{ status, start: new Date(at(start)).toISOString() },
      end: end === null ? null : new Date(at(end)).toISOString(),
    })),
  },
});

it('[R2.14] rest that a claimed drive interrupts goes on after it, a second later', () => {
  const rest = (...segments: readonly Segment[]) => restAfter(log(...segments), at('17:31'), at('18:40'));
  const then = '2026-11-21T18:40:01.000Z';
  expect(rest(['ON', '08:00', '14:57'], ['SB', '14:57', null])).toEqual({ status: 'SB', at: then });
  expect(rest(['PC', '14:57', '22:00'])).toEqual({ status: 'OFF', at: then });
  // The log has another status of that time, or none.
  expect(rest(['OFF', '14:57', '18:00'], ['ON', '18:00', null])).toBeNull();
  expect(rest(['ON', '14:57', null])).toBeNull();
  expect(rest(['OFF', '18:00', null])).toBeNull();
  expect(rest()).toBeNull();
});
