import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswersInOrder } from './answers-in-order.ts';

function open() {
  const writes: number[][] = [];
  let corked: number[] | null = null;
  const stream = {
    cork: () => {
      corked = [];
    },
    uncork: () => {
      if (corked) writes.push(corked);
      corked = null;
    },
  };
  const failed: unknown[] = [];
  const answers = new AnswersInOrder<number>(
    stream,
    answer => {
      if (corked) corked.push(answer);
      else writes.push([answer]);
    },
    () => {},
    (error, answer) => failed.push([error, answer]),
  );
  return { answers, failed, writes };
}
const settled = () => new Promise(resolve => setImmediate(resolve));

describe('the answers of a connection', () => {
  it('[I1] are sent in order, each after its own commit, in whichever order these come', async () => {
    const orders = fc.array(fc.option(fc.nat(5), { nil: null }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(orders, async commits => {
        const { answers, writes } = open();
        const stored = commits.map(commit => (commit === null ? null : Promise.withResolvers<void>()));
        for (const [n, each] of stored.entries()) answers.add(n, each?.promise ?? null);
        const isDone = commits.map(commit => commit === null);
        for (let commit = 0; commit <= 5; commit++) {
          for (const [n, each] of stored.entries()) {
            if (commits[n] !== commit) continue;
            each?.resolve();
            isDone[n] = true;
          }
          await settled();
          const first = isDone.indexOf(false);
          expect(writes.flat()).toEqual(commits.map((_, n) => n).slice(0, first < 0 ? commits.length : first));
        }
        expect(answers.waiting).toBe(0);
      }),
    );
  });

  it('of one commit are one write', async () => {
    const { answers, writes } = open();
    const stored = [1, 2, 3, 4].map(() => Promise.withResolvers<void>());
    for (const [n, { promise }] of stored.entries()) answers.add(n, promise);
    for (const { resolve } of stored.slice(0, 3)) resolve();
    await settled();
    stored[3]?.resolve();
    await settled();
    expect(writes).toEqual([[0, 1, 2], [3]]);
  });

  it('after one that failed are not sent', async () => {
    const { answers, failed, writes } = open();
    const error = new Error('not stored');
    answers.add(1, Promise.reject(error));
    answers.add(2, null);
    await settled();
    expect([writes, failed]).toEqual([[], [[error, 1]]]);
  });
});
