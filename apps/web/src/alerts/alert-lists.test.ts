import type { Alert } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byUrgency, type OpenAlerts, totalOf, withAlert } from './alert-lists.ts';
import { anAlert } from './testing/alert.ts';

const acknowledged = (id: string): Alert => anAlert(id, { acknowledgedAt: '2026-11-19T19:03:00.000Z' });
const NONE: OpenAlerts = { alerts: [], unacknowledged: { critical: 0, warning: 0, info: 0 } };

describe('the open alerts after a change', () => {
  it('count a new one, replace a known one, and lose one that was acknowledged', () => {
    const one = withAlert(NONE, anAlert('a')) ?? NONE;
    expect(one.unacknowledged.critical).toBe(1);
    const seenAgain = withAlert(one, anAlert('a', { count: 2 })) ?? NONE;
    expect([seenAgain.alerts[0]?.count, seenAgain.unacknowledged.critical]).toEqual([2, 1]);
    expect(withAlert(seenAgain, acknowledged('a'))).toEqual(NONE);
    expect(withAlert(NONE, acknowledged('b'))).toEqual(NONE);
  });

  it('are not known when there are more than were read', () => {
    const many: OpenAlerts = { alerts: [anAlert('a')], unacknowledged: { critical: 1, warning: 700, info: 0 } };
    expect(withAlert(many, anAlert('b'))).toBeNull();
    expect(withAlert(many, acknowledged('a'))?.unacknowledged).toEqual({ critical: 0, warning: 700, info: 0 });
  });

  it('always count what is listed', () => {
    const change = fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      severity: fc.constantFrom('critical' as const, 'warning' as const, 'info' as const),
      isOpen: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change), changes => {
        let open: OpenAlerts = NONE;
        for (const { id, severity, isOpen } of changes) {
          open = withAlert(open, { ...(isOpen ? anAlert(id) : acknowledged(id)), severity }) ?? NONE;
        }
        expect(totalOf(open.unacknowledged)).toBe(open.alerts.length);
        for (const [severity, count] of Object.entries(open.unacknowledged)) {
          expect(open.alerts.filter(each => each.severity === severity)).toHaveLength(count);
        }
      }),
    );
  });
});

it('shows the most urgent first, of these the newest', () => {
  const [old, young] = ['2026-11-19T10:00:00.000Z', '2026-11-19T11:00:00.000Z'];
  const list = [
    anAlert('info', { severity: 'info', openedAt: young }),
    anAlert('old', { openedAt: old }),
    anAlert('warning', { severity: 'warning', openedAt: young }),
    anAlert('young', { openedAt: young }),
  ];
  expect(list.toSorted(byUrgency).map(({ id }) => id)).toEqual(['young', 'old', 'warning', 'info']);
});
