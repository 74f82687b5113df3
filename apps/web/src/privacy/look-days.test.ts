import type { Look } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { lookDays } from './look-days.ts';

const look = (beganAt: string, fields: Partial<Look> = {}): Look => ({
  ...{ id: beganAt, kind: 'map', via: 'session', user: { id: '1', name: 'Ann' }, link: null, beganAt, period: null },
  untilAt: new Date(Date.parse(beganAt) + 600_000).toISOString(),
  ...fields,
});

describe('[N8] looks by day', () => {
  it('are one line for everyone who had the fleet before them, and one each for the driver alone', () => {
    const ben = { user: { id: '2', name: 'Ben' } };
    const days = lookDays([
      look('2026-11-19T15:00:00Z', ben),
      look('2026-11-19T14:30:00Z', { kind: 'replay' }),
      look('2026-11-19T14:00:00Z'),
      look('2026-11-19T13:00:00Z', ben),
      look('2026-11-17T15:00:00Z', { kind: 'alerts', user: null }),
    ]);
    expect(days.map(({ day, fleet, own }) => [day, fleet, own.map(({ kind }) => kind)])).toEqual([
      [
        '2026-11-19',
        [
          {
            ...{ kind: 'map', names: ['Ann', 'Ben'], isImported: false },
            ...{ fromMs: Date.parse('2026-11-19T13:00:00Z'), toMs: Date.parse('2026-11-19T15:10:00Z') },
          },
        ],
        ['replay'],
      ],
      ['2026-11-17', [expect.objectContaining({ kind: 'alerts', names: [] })], []],
    ]);
  });
});
