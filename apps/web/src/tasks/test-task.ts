import type { Task } from '@milepost/contract';

const NOON = '2026-11-26T12:00:00Z';

/** A task for tests, sent to a driver. */
export const newTask = (more: Partial<Task> = {}): Task => ({
  ...{ id: '1', taskId: 'a', seqNo: 0, title: 'Load', ref: null, priority: 'normal', notes: null, stops: [] },
  ...{ dueFrom: null, dueTo: null, needsPhoto: false, needsSignature: false, state: 'assigned', reason: null },
  ...{ driver: null, vehicle: null, assignedBy: null, assignedAt: null, answerBy: null, steps: [], proof: null },
  ...{ eta: null, createdAt: NOON, changedAt: NOON },
  ...more,
});
