import { type Preferences, SETUP_STEPS, type SetupStep, updateMe } from '@milepost/contract';
import { call } from '../api.ts';
import { useSession } from './session.ts';
import { refreshMe } from './use-me.ts';

type SetupState = Pick<Preferences, 'setupDone' | 'setupSkipped'>;

/** Setup steps that are still open. Empty for users who aren't asked to set up. */
export const stepsLeft = ({ setupDone, setupSkipped }: SetupState): readonly SetupStep[] =>
  setupDone === null ? [] : SETUP_STEPS.filter(step => !setupDone.includes(step) && !setupSkipped?.includes(step));

/** Marks a step as done or skipped for this user on every device. */
export async function passStep(step: SetupStep, how: 'done' | 'skipped'): Promise<void> {
  const { setupDone, setupSkipped } = useSession.getState().me?.preferences ?? { setupDone: null, setupSkipped: null };
  const others = (steps: readonly SetupStep[] | null) => (steps ?? []).filter(one => one !== step);
  // A completed step stays completed, even if the user returns and skips it.
  const isDone = how === 'done' || setupDone?.includes(step) === true;
  const preferences = isDone
    ? { setupDone: [...others(setupDone), step], setupSkipped: others(setupSkipped) }
    : { setupDone: others(setupDone), setupSkipped: [...others(setupSkipped), step] };
  await call(updateMe, { body: { preferences } });
  await refreshMe();
}

/** Stops asking this user to finish the setup. */
export async function endSetup(): Promise<void> {
  await call(updateMe, { body: { preferences: { setupDone: null, setupSkipped: null } } });
  await refreshMe();
}
