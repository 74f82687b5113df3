import { enrollPhone, recordDuty } from '@milepost/contract';
import { call } from '../../../base/api.ts';
import { publicKeyOf, signed } from '../../../phone/device-key.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import type { DutyStore } from './duty-store.ts';
import { sendWaiting } from './send-waiting.ts';

/** Tells the server this phone's key if it doesn't know it, then sends what waits. Only one tab may do this at a time. */
export async function sendEverything(store: DutyStore, owner: string): Promise<void> {
  await makeKnown(store, owner);
  await store.signWaiting(owner, signed);
  await sendWaiting({
    store,
    owner,
    send: inputs => call(recordDuty, { body: { inputs } }),
    serverMs: () => dutyClock.now(),
    heard: serverMs => dutyClock.observe(serverMs),
  });
}

/** Tells the server the public key, before anything that it signed. */
async function makeKnown(store: DutyStore, owner: string): Promise<void> {
  const enrollment = await store.enrollment(owner);
  if (!enrollment || enrollment.isKnown) return;
  const { after, keys, name, phoneId } = enrollment;
  await call(enrollPhone, { body: { id: phoneId, name, publicKey: await publicKeyOf(keys), after } });
  await store.keepEnrollment({ ...enrollment, isKnown: true });
}
