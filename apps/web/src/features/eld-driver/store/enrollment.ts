import { endMyPhone } from '@milepost/contract';
import { START } from '@milepost/eld';
import { call } from '../../../base/api.ts';
import { newAppPin, newKeys, tryAppPin } from '../../../phone/device-key.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { newId } from '../../../phone/new-id.ts';
import { changed, inStep, theStore, useDriverDuty } from './driver-duty.ts';

/** From the next entry on this phone signs what its driver enters. */
export async function enrollThisPhone(name: string, pin: string): Promise<void> {
  const { owner } = useDriverDuty.getState();
  const store = await theStore();
  if (owner === null || store === null) throw new Error('Nothing can be stored on this phone.');
  const [keys, kept] = await Promise.all([newKeys(), newAppPin(pin)]);
  await store.enroll({ owner, phoneId: newId(), name, keys, isKnown: false, pin: kept }, START);
  await changed(owner);
  await inStep(owner);
}

/** Ends it on the server first; entries are unsigned from then on. */
export async function endThisEnrollment(): Promise<void> {
  const { enrollment, owner } = useDriverDuty.getState();
  if (owner === null || !enrollment) return;
  await inStep(owner);
  await call(endMyPhone, { params: { id: enrollment.phoneId } });
  await (await theStore())?.endEnrollment(owner);
  await changed(owner);
}

/** Whether the PIN was right; wrong tries are kept. */
export async function openWithPin(pin: string): Promise<boolean> {
  const { enrollment, owner } = useDriverDuty.getState();
  if (owner === null || !enrollment) return true;
  const { kept, right } = await tryAppPin(enrollment.pin, pin, dutyClock.now());
  await (await theStore())?.keepEnrollment({ ...enrollment, pin: kept });
  await changed(owner);
  return right;
}
