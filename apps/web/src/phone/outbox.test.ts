import 'fake-indexeddb/auto';
import { NetworkError, ProblemError } from '@milepost/client';
import { type DriverStep, STEPS_FROM, type Task } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newTask } from '../tasks/test-task.ts';
import { newId } from './new-id.ts';
import { Outbox } from './outbox.ts';
import { sendOutbox } from './send-outbox.ts';
import type { Sendable } from './sendable.ts';

const OWNER = '7';
const NOON = Date.parse('2026-11-26T12:00:00Z');
class Killed extends Error {}
const FATES = ['arrives', 'arrives', 'request lost', 'answer lost', 'killed before', 'killed after'] as const;
type Fate = (typeof FATES)[number];

const problem = (status: number, code: string) =>
  new ProblemError({ type: `/problems/${code}`, title: 'No.', status, code });
const stepOf = (step: DriverStep, taskId = '1'): Sendable => ({
  ...{ kind: 'task-step', taskId, title: 'Load', reportId: newId(), step, at: new Date(NOON).toISOString() },
  ...{ reason: '', note: '', signedBy: '' },
});
const photoOf = (text: string, taskId = '1'): Sendable => ({
  ...{ kind: 'task-proof', taskId, title: 'Load', proofId: newId(), proof: 'photo', signedBy: '' },
  file: new Blob([text], { type: 'image/jpeg' }),
});
const idOf = (what: Sendable): string =>
  what.kind === 'task-step' ? what.reportId : what.kind === 'task-proof' ? what.proofId : what.photoId;

/** Accepts each ID once, and each step only where the contract allows it, as the server does. */
class PretendServer {
  readonly seen: string[] = [];
  state: Task['state'] = 'assigned';

  take(what: Sendable): void {
    if (this.seen.includes(idOf(what))) return;
    if (what.kind === 'task-step') {
      if (!STEPS_FROM[this.state].includes(what.step)) throw problem(409, 'task-step');
      this.state = what.step;
    }
    this.seen.push(idOf(what));
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constant('step' as const), step: fc.constantFrom('accepted', 'enroute', 'arrived', 'done') }),
  fc.record({ do: fc.constant('photo' as const), text: fc.string() }),
  fc.record({ do: fc.constant('send' as const), fates: fc.array(fc.constantFrom(...FATES), { maxLength: 4 }) }),
  fc.record({ do: fc.constant('reload' as const) }),
  fc.record({ do: fc.constant('cancel' as const) }),
);

describe('[N4] tasks and photos on a phone without a network', () => {
  it('are sent once and in order, whatever is cut or killed; what is refused stays until it is read', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async steps => {
        const name = `outbox-${++run}`;
        const server = new PretendServer();
        let outbox = await Outbox.open(name);
        const made: string[] = [];
        const reload = async () => {
          outbox.close();
          outbox = await Outbox.open(name);
        };
        const send = async (fates: readonly Fate[]) => {
          const left = [...fates];
          try {
            await sendOutbox(outbox, OWNER, async what => {
              const fate = left.shift() ?? 'request lost';
              if (fate === 'request lost') throw new NetworkError('unreachable', null);
              if (fate === 'killed before') throw new Killed();
              server.take(what);
              if (fate === 'answer lost') throw new NetworkError('unreachable', null);
              if (fate === 'killed after') throw new Killed();
            });
          } catch (error) {
            if (error instanceof Killed) await reload();
            else expect(error).toBeInstanceOf(NetworkError);
          }
        };
        for (const one of steps) {
          if (one.do === 'send') await send(one.fates);
          else if (one.do === 'reload') await reload();
          else if (one.do === 'cancel') server.state = 'cancelled';
          else {
            const what = one.do === 'step' ? stepOf(one.step as DriverStep) : photoOf(one.text);
            await outbox.add(OWNER, [what]);
            made.push(idOf(what));
          }
        }
        await send(Array<Fate>(200).fill('arrives'));
        const refused = (await outbox.items(OWNER, 'refused')).map(({ what }) => idOf(what));
        expect(await outbox.items(OWNER, 'waiting')).toEqual([]);
        expect(server.seen).toEqual(made.filter(id => !refused.includes(id)));
        expect(new Set([...server.seen, ...refused])).toEqual(new Set(made));
        outbox.close();
      }),
      { numRuns: 60 },
    );
  });

  it('keep a photo as it was, and send it after the page is gone', async () => {
    let outbox = await Outbox.open('photo');
    await outbox.add(OWNER, [photoOf('a pallet')]);
    outbox.close();
    outbox = await Outbox.open('photo');
    const [item] = await outbox.items(OWNER, 'waiting');
    const file = item?.what.kind === 'task-proof' ? item.what.file : null;
    expect([file?.type, await file?.text()]).toEqual(['image/jpeg', 'a pallet']);
    outbox.close();
  });

  it('stay with the user who made them, and wait while the server is busy or the session is over', async () => {
    const outbox = await Outbox.open('others');
    await outbox.add('7', [stepOf('accepted')]);
    const server = new PretendServer();
    await sendOutbox(outbox, '8', async what => server.take(what));
    expect(server.seen).toEqual([]);
    for (const [status, code] of [
      [401, 'unauthenticated'],
      [429, 'too-many-requests'],
      [503, 'unavailable'],
    ] as const) {
      const sending = sendOutbox(outbox, '7', async () => {
        throw problem(status, code);
      });
      await expect(sending).rejects.toMatchObject({ code });
      expect(await outbox.items('7', 'waiting')).toHaveLength(1);
    }
    outbox.close();
  });

  it('say nothing of a refused report that a task was seen: the driver did not make it', async () => {
    const outbox = await Outbox.open('seen');
    await outbox.add(OWNER, [stepOf('seen'), stepOf('seen'), stepOf('enroute')]);
    const server = new PretendServer();
    server.state = 'done';
    await sendOutbox(outbox, OWNER, async what => server.take(what));
    expect(await outbox.items(OWNER, 'waiting')).toEqual([]);
    expect((await outbox.items(OWNER, 'refused')).map(({ what }) => what.kind === 'task-step' && what.step)).toEqual([
      'enroute',
    ]);
    outbox.close();
  });

  it('say what the office changed since the phone last heard of it, until the driver has read it', async () => {
    const outbox = await Outbox.open('office');
    const known = ['1', '2', '3', '4'].map(id => newTask({ id, title: `Load ${id}`, state: 'accepted' }));
    await outbox.keepTasks(OWNER, known, NOON);
    expect(await outbox.changes(OWNER)).toEqual([]);
    const now = [
      newTask({ id: '1', title: 'Load 1', state: 'accepted' }),
      newTask({ id: '2', title: 'Load 2', state: 'cancelled', reason: 'Customer closed' }),
      newTask({ id: '3', title: 'Load 3', state: 'accepted', seqNo: 1, dueTo: new Date(NOON).toISOString() }),
    ];
    await outbox.keepTasks(OWNER, now, NOON + 1);
    await outbox.keepTasks(OWNER, now, NOON + 2);
    const changes = await outbox.changes(OWNER);
    expect(changes.map(({ fields, reason, title, what }) => [title, what, reason, fields]).toSorted()).toEqual([
      ['Load 2', 'cancelled', 'Customer closed', []],
      ['Load 3', 'changed', null, ['dueTo']],
      ['Load 4', 'taken-away', null, []],
    ]);
    await outbox.forgetChanges(OWNER);
    expect(await outbox.changes(OWNER)).toEqual([]);
    outbox.close();
  });
});
