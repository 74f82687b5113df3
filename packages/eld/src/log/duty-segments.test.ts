import { evaluate, readDutyLog, ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { at, duty, entry, HOME, indication, intermediate, recorded, TERMS } from '../testing/entries.ts';
import { dutySegments } from './duty-segments.ts';
import type { LogEntry } from './entry.ts';
import { replay } from './record-log.ts';

function segments(entries: readonly LogEntry[], until = at('20:00')) {
  const log = replay(TERMS, entries);
  if (!log.ok) throw new Error(log.fault.refusal);
  return dutySegments(log.value.records(), HOME, until);
}
const shown = (entries: readonly LogEntry[]) =>
  segments(entries)?.segments.map(
    ({ status, start }) => `${status} ${new Date(Number(start) - 6 * 3_600_000).toISOString().slice(11, 16)}`,
  );

describe('the duty log of the records', () => {
  const lunch = recorded(duty('OFF', '12:00'));
  const day = [
    recorded(duty('ON', '8:00')),
    recorded(duty('D', '8:30')),
    recorded(intermediate('9:30')),
    lunch,
    recorded(duty('D', '13:00')),
  ];

  it('is valid input for the hours-of-service rules', () => {
    const raw = segments([...day, recorded(duty('ON', '16:00', { origin: 'automatic' }))]);
    expect(raw).toMatchObject({ timezone: 'America/Chicago', homeTerminalStartOfDay: '00:00' });
    const log = readDutyLog(raw);
    if (!log.ok) return expect.unreachable(JSON.stringify(log.errors));
    const { clocks, status } = evaluate(log.value, ruleSets.US_PROPERTY_70_8, epochMs(at('20:00')));
    expect([status, clocks.drive.remaining / 3_600_000, clocks.window.remaining / 3_600_000]).toEqual(['ON', 4.5, 2]);
  });

  it('is made of active records only', () => {
    const change = entry(
      { action: 'edit', replaces: lunch.id, event: duty('SB', '12:00', { annotation: 'Slept in the berth' }) },
      { recordedAt: at('19:00') },
    );
    expect(shown([...day, change])).toEqual(['ON 08:00', 'D 08:30', 'SB 12:00', 'D 13:00']);
  });

  it('shows personal use and yard moves as long as their status lasts', () => {
    expect(
      shown([
        recorded(duty('ON', '8:00')),
        recorded(indication('yard-move', '8:10')),
        recorded(indication('none', '8:20')),
        recorded(duty('OFF', '9:00')),
        recorded(indication('personal-use', '9:00')),
        recorded(indication('none', '10:00')),
        recorded(indication('personal-use', '11:00')),
        // Not ended explicitly, but ended by driving.
        recorded(duty('D', '12:00')),
        recorded(duty('OFF', '13:00')),
      ]),
    ).toEqual(['ON 08:00', 'YM 08:10', 'ON 08:20', 'PC 09:00', 'OFF 10:00', 'PC 11:00', 'D 12:00', 'OFF 13:00']);
  });

  it('is null before the first status', () => {
    expect(segments([])).toBeNull();
    expect(segments(day, at('8:00'))).toBeNull();
    expect(segments(day, at('8:01'))?.segments).toEqual([{ status: 'ON', start: at('8:00'), end: at('8:01') }]);
  });

  it('begins with personal use if that is the first thing in it', () => {
    const use = recorded(indication('personal-use', '9:00'));
    expect(shown([use, recorded(duty('ON', '10:00'))])).toEqual(['PC 09:00', 'ON 10:00']);
  });
});
