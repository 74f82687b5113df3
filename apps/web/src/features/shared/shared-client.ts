import { createHttpClient, type HttpClient } from '@milepost/client';
import { ServerClock } from '../../live/server-clock.ts';

/** HTTP client that sends the link's token as bearer token. It has nothing to do with anyone's session. */
export interface SharedClient extends HttpClient {
  readonly clock: ServerClock;
}

export function createSharedClient(token: string): SharedClient {
  const clock = new ServerClock();
  const http = createHttpClient({
    baseUrl: '',
    getToken: () => token,
    fetch: async (...request) => {
      const response = await fetch(...request);
      const date = Date.parse(response.headers.get('date') ?? '');
      if (!Number.isNaN(date)) clock.observe(date);
      return response;
    },
  });
  return { ...http, clock };
}
