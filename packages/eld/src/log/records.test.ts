import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogRecord } from './record.ts';
import { Records } from './records.ts';

it('[R2.14] knows the statuses and the last automatic record after any changes, as if it looked through all', () => {
  const fields = fc.record({
    id: fc.integer({ min: 0, max: 12 }).map(String),
    at: fc.integer({ min: 0, max: 6 }),
    type: fc.constantFrom(1, 2, 3, 5),
    origin: fc.constantFrom('automatic', 'driver'),
    status: fc.constantFrom('active', 'inactive-changed', 'change-requested', 'change-rejected'),
    annotation: fc.string({ maxLength: 3 }),
    isAsked: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 60 }), all => {
      const records = new Records();
      const plain = new Map<string, LogRecord>();
      for (const { annotation, at, id, isAsked, origin, status, type } of all) {
        const event = plain.get(id)?.event ?? { at, type, origin };
        const record = { id, annotation, status, event } as LogRecord;
        plain.set(id, record);
        records.set(record);
        if (!isAsked) continue;
        const active = [...plain.values()].filter(one => one.status === 'active');
        const statuses = active.filter(one => one.event.type === 1).sort((a, b) => a.event.at - b.event.at);
        const automatic = active.filter(
          ({ event }) => event.type <= 2 && 'origin' in event && event.origin === 'automatic',
        );
        expect(records.statuses).toEqual(statuses);
        expect(records.lastAutomaticAt).toBe(Math.max(Number.NEGATIVE_INFINITY, ...automatic.map(one => one.event.at)));
        expect(records.all()).toEqual([...plain.values()]);
      }
    }),
    { numRuns: 500 },
  );
});
