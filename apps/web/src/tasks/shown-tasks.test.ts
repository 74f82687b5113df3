import { expect, it } from 'vitest';
import type { OutboxItem } from '../phone/outbox.ts';
import type { Sendable } from '../phone/sendable.ts';
import { shownTasks } from './shown-tasks.ts';
import { newTask } from './test-task.ts';

const waiting = (what: Sendable, nth = 1): OutboxItem => ({
  ...{ nth, owner: '7', what, state: 'waiting', refusal: null, reason: null },
});
const at = '2026-11-26T13:00:00.000Z';
const done: Sendable = {
  ...{ kind: 'task-step', taskId: '1', title: 'Load', reportId: 'r', step: 'done', at, reason: '' },
  ...{ note: 'Left at gate 3', signedBy: 'T. Ruiz' },
};
const photo: Sendable = {
  ...{ kind: 'task-proof', taskId: '1', title: 'Load', proofId: 'p', proof: 'photo', signedBy: '' },
  file: new Blob(['x']),
};

it('[N4] tasks show what the driver has reported and the server does not know yet', () => {
  const tasks = [newTask({ state: 'arrived' }), newTask({ id: '2', state: 'arrived' })];
  const signature: Sendable = { ...photo, proofId: 's', proof: 'signature', signedBy: 'T. Ruiz' };
  const [first, second] = shownTasks(tasks, [photo, signature, done].map(waiting));
  expect(first).toMatchObject({
    state: 'done',
    steps: [{ state: 'done', at, by: 'driver' }],
    proof: { photos: 1, hasSignature: true, signedBy: 'T. Ruiz', note: 'Left at gate 3' },
  });
  expect(second).toEqual(tasks[1]);
});

it('[N4] a task that the office canceled stays canceled, whatever waits', () => {
  const [task] = shownTasks([newTask({ state: 'cancelled' })], [waiting(photo), waiting(done, 2)]);
  expect(task).toMatchObject({ state: 'cancelled', proof: null });
});
