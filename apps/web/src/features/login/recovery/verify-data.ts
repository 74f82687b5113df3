import type { VerifyData } from '@milepost/contract';
import { verifyDataSchema } from '@milepost/contract';
import { create } from 'zustand';
import { onSessionBegin } from '../../../base/session/session.ts';

const KEY = 'myVerifyData';

/**
 * The answer to a request for a code [R3.02]. It identifies the request and contains no code. It survives a reload of
 * this tab, because a phone may reload the page while the user reads the e-mail.
 */
export const useVerifyData = create<{ readonly myVerifyData: VerifyData | null }>(() => ({ myVerifyData: read() }));

export function setVerifyData(myVerifyData: VerifyData | null): void {
  if (myVerifyData === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(myVerifyData));
  useVerifyData.setState({ myVerifyData });
}

function read(): VerifyData | null {
  try {
    const data = verifyDataSchema.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ''));
    return Date.parse(data.expiresAt) > Date.now() ? data : null;
  } catch {
    return null;
  }
}

onSessionBegin(() => setVerifyData(null));
