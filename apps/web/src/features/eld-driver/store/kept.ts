import { changed, theStore } from './driver-duty.ts';
import type { KeptPin } from './duty-store.ts';
import type { KeptEntry } from './entry.ts';

/** Marks a refused entry as read by the driver. */
export async function dismissRefused({ owner, position }: KeptEntry): Promise<void> {
  await (await theStore())?.markSeen(owner, position);
  await changed(owner);
}

export const keptPin = async (owner: string) => (await theStore())?.pin(owner);
export const keepPin = async (pin: KeptPin) => (await theStore())?.keepPin(pin);
