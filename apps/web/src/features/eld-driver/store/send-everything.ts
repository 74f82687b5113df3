import { enrollPhone, type MyDuty, recordDuty } from '@milepost/contract';
import { call } from '../../../base/api.ts';
import { publicKeyOf, signed } from '../../../phone/device-key.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import type { DutyStore } from './duty-store.ts';
import { sendWaiting } from './send-waiting.ts';

/**
 * Tells the server this phone's key if it doesn't know it, then sends what waits. Only one tab may do this at a time.
 * Returns the log as the server last sent it, or null if it has sent none.
 */
export async function sendEverything(store: DutyStore, owner: string): Promise<MyDuty | null> {
  let word: MyDuty | null = null;
  await makeKnown(store, owner);
  await store.signWaiting(owner, signed);
  await sendWaiting({
    store,
    owner,
    send: async inputs => {
      const answer = await call(recordDuty, { body: { inputs } });
      word = answer.duty;
      return answer;
    },
    serverMs: () => dutyClock.now(),
    heard: serverMs => dutyClock.observe(serverMs),
  });
  return word;
}

/** Tells the server the public key, before anything that it signed. */
async function makeKnown(store: DutyStore, owner: string): Promise<void> {
  const enrollment = await store.enrollment(owner);
  if (!enrollment || enrollment.isKnown) return;
  const { after, keys, name, phoneId } = enrollment;
  await call(enrollPhone, { body: { id: phoneId, name, publicKey: await publicKeyOf(keys), after } });
  await store.keepEnrollment({ ...enrollment, isKnown: true });
}
