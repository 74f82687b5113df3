import { type DutyAction, recordDuty } from '@milepost/contract';
import { call } from '../../../base/api.ts';
import { signed } from '../../../phone/device-key.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { newId } from '../../../phone/new-id.ts';
import { changed, inStep, theStore, useDriverDuty } from './driver-duty.ts';
import { newEntry } from './entry.ts';

/**
 * Stores what the driver did and sends it as soon as there is a network. Resolves once it is on the phone's disk or, if
 * that is full, on the server; rejects if neither works.
 */
export async function act(action: DutyAction): Promise<void> {
  const { owner } = useDriverDuty.getState();
  if (owner === null) return;
  // When the driver did it, however long the phone takes to open its store.
  const nowMs = dutyClock.now();
  const store = await theStore();
  const id = newId();
  if (store && (await isStored(store.append(owner, newEntry(owner, id, nowMs, action))))) {
    await store.signWaiting(owner, signed).catch(() => {});
    await changed(owner);
    // Without a network, it is sent later.
    inStep(owner).catch(() => {});
    return;
  }
  useDriverDuty.setState({ cannotStore: true });
  const { duty } = await call(recordDuty, { body: { inputs: [{ id, at: new Date(nowMs).toISOString(), action }] } });
  dutyClock.observe(Date.parse(duty.now));
  useDriverDuty.setState({ word: duty, heardAtMs: Date.parse(duty.now) });
}

const isStored = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
