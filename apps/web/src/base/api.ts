import { createHttpClient } from '@milepost/client';
import { noteRead } from './change-number.ts';
import { endSession, useSession } from './session/session.ts';

/**
 * Calls to the server that delivered this page, with the session's token [R4.01, R4.02]. A token that the server no
 * longer accepts ends the session, unless another one has begun since.
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
