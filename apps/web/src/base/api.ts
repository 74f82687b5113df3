import { createHttpClient } from '@milepost/client';
import { noteRead } from './change-number.ts';
import { endSession, useSession } from './session/session.ts';

/**
 * Calls the server that delivered this page, with the session's token [R4.01, R4.02]. If the server refuses the token,
 * the session ends, unless a new one has begun.
 */
export const http = createHttpClient({
  baseUrl: '',
  getToken: () => useSession.getState().token,
  onTokenRefused: token => {
    if (useSession.getState().token === token) endSession('expired');
  },
  onChangeNumber: noteRead,
});

export const { call } = http;
