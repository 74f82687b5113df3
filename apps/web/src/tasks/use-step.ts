import type { DriverStep, Task } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { dutyClock } from '../phone/duty-clock.ts';
import { newId } from '../phone/new-id.ts';
import { putInOutbox } from '../phone/phone-outbox.ts';

export interface Step {
  readonly step: DriverStep;
  readonly reason?: string;
  readonly note?: string;
  readonly signedBy?: string;
}

const nowIso = (): string => new Date(dutyClock.now()).toISOString();

export const reportStep = (owner: string, { id: taskId, title }: Task, { step, ...said }: Step): Promise<void> =>
  putInOutbox(owner, [
    {
      ...{ kind: 'task-step', taskId, title, reportId: newId(), step, at: nowIso() },
      ...{ reason: '', note: '', signedBy: '', ...said },
    },
  ]);

/** Reports steps and proof of a task: stored on the phone at once, sent when there is a network. */
export function useStep(owner: string, task: Task) {
  const { id: taskId, title } = task;
  const step = useMutation({ mutationFn: (what: Step) => reportStep(owner, task, what) });
  const proof = useMutation({
    mutationFn: (given: { readonly proof: 'photo' | 'signature'; readonly file: Blob; readonly signedBy?: string }) =>
      putInOutbox(owner, [{ kind: 'task-proof', taskId, title, proofId: newId(), signedBy: '', ...given }]),
  });
  return { step, proof, error: step.error ?? proof.error };
}
