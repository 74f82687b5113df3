import { isOver, type Task } from '@milepost/contract';
import type { OutboxItem } from '../phone/outbox.ts';

/** A driver's tasks: the list as last sent by the server, plus the driver's reports since. */
export function shownTasks(tasks: readonly Task[], waiting: readonly OutboxItem[]): Task[] {
  return tasks.map(task =>
    waiting.reduce(
      (shown, { what }) => ('taskId' in what && what.taskId === task.id ? withReport(shown, what) : shown),
      task,
    ),
  );
}

function withReport(task: Task, what: Exclude<OutboxItem['what'], { kind: 'inspection-photo' }>): Task {
  // The office ended the task first: the server will refuse this report.
  if (isOver(task.state)) return task;
  const proof = task.proof ?? { note: '', signedBy: null, hasSignature: false, photos: 0 };
  if (what.kind === 'task-proof') {
    return what.proof === 'photo'
      ? { ...task, proof: { ...proof, photos: proof.photos + 1 } }
      : { ...task, proof: { ...proof, hasSignature: true, signedBy: what.signedBy } };
  }
  const { at, note, reason, signedBy, step } = what;
  const said = { ...proof, note: note || proof.note, signedBy: signedBy || proof.signedBy };
  return {
    ...task,
    state: step,
    reason: reason || task.reason,
    steps: [...task.steps, { state: step, at, by: 'driver', name: null }],
    proof: task.proof || note || signedBy ? said : null,
  };
}
