import { WEBHOOK_TRIES_MAX } from '@milepost/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { delayAfter, RETRY_DELAYS_MS, withinLimits } from './queue.ts';

it('waits longer after each try, for about a day, and then gives up', () => {
  const delays = Array.from({ length: WEBHOOK_TRIES_MAX }, (_, i) => delayAfter(i + 1, 'refused'));
  expect(delays).toEqual([...RETRY_DELAYS_MS, null]);
  expect(RETRY_DELAYS_MS.every((delay, i) => i === 0 || delay > Number(RETRY_DELAYS_MS[i - 1]))).toBe(true);
  const hours = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(20);
  expect(hours).toBeLessThan(26);
  expect([delayAfter(1, 'gone'), delayAfter(1, 'address-refused')]).toEqual([null, null]);
});

it('takes what is due in order, at most 2 to a webhook, 4 of an account and 32 in all, and no less', () => {
  const one = fc.record({ accountId: fc.integer({ min: 1, max: 20 }), webhook: fc.integer({ min: 1, max: 3 }) });
  const several = fc
    .array(one, { maxLength: 100 })
    .map(all => all.map(({ accountId, webhook }) => ({ accountId, webhookId: accountId * 10 + webhook })));
  fc.assert(
    fc.property(several, several, (due, earlier) => {
      const underWay = withinLimits(earlier, []);
      const taken = withinLimits(due, underWay);
      const all = [...underWay, ...taken];
      const count = (key: 'accountId' | 'webhookId', value: number) => all.filter(each => each[key] === value).length;
      for (const { accountId, webhookId } of all) {
        expect(count('webhookId', webhookId)).toBeLessThanOrEqual(2);
        expect(count('accountId', accountId)).toBeLessThanOrEqual(4);
      }
      expect(all.length).toBeLessThanOrEqual(32);
      expect(due.filter(each => taken.includes(each))).toEqual(taken);
      if (all.length === 32) return;
      // What was left had to wait.
      for (const left of due.filter(each => !taken.includes(each))) {
        expect(count('webhookId', left.webhookId) === 2 || count('accountId', left.accountId) === 4).toBe(true);
      }
    }),
  );
});
