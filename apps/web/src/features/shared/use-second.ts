import { useEffect, useState } from 'react';
import type { ServerClock } from '../../live/server-clock.ts';

/** The server's clock in steps of a second. */
export function useSecond(clock: ServerClock): number {
  const [nowMs, setNowMs] = useState(() => clock.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(clock.now()), 1000);
    return () => clearInterval(timer);
  }, [clock]);
  return nowMs;
}
