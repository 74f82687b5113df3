import { ProblemError } from '@milepost/client';

/** Pause before the next try. */
export const PAUSE_MS = 3000;

/** Retries after a pause while the server answers `too-many-requests`; `signal` ends the wait. */
export async function retryWhenLimited<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code !== 'too-many-requests') throw error;
      await pause(signal);
      if (signal.aborted) throw error;
    }
  }
}

const pause = (signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, PAUSE_MS);
    signal.addEventListener('abort', done);
  });
