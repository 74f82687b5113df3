import type { MyDuty } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useConnectivity } from '../../../base/connectivity.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { inStep, openDuty, useDriverDuty } from './driver-duty.ts';
import { shownDuty } from './shown-duty.ts';

/** Status changes caused by driving show within this time; the driver's own show at once. */
const ASK_EVERY_MS = 10_000;

/** Opens this user's log on this phone, and keeps it in sync with the server while the page is open. */
export function useKeptInStep(owner: string): { readonly error: Error | null; readonly retry: () => void } {
  const online = useConnectivity(state => state.status === 'online');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    let isGone = false;
    openDuty(owner).then(() => {
      if (!isGone) setOpen(true);
    });
    return () => {
      isGone = true;
    };
  }, [owner]);
  const { error, refetch } = useQuery({
    queryKey: ['my-duty', owner],
    queryFn: async () => {
      await inStep(owner);
      return null;
    },
    enabled: isOpen,
    refetchInterval: ASK_EVERY_MS,
    refetchOnWindowFocus: 'always',
    staleTime: 0,
  });
  useEffect(() => {
    if (online && isOpen) void refetch();
  }, [online, isOpen, refetch]);
  return { error, retry: () => void refetch() };
}

/** The time now by the server's clock, updated at this interval. */
export function useDutyNow(everyMs: number): number {
  const [now, setNow] = useState(() => dutyClock.now());
  useEffect(() => {
    const tick = () => setNow(dutyClock.now());
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs]);
  return now;
}

/** The log as the driver sees it now; null until something is known. */
export function useDuty(): MyDuty | null {
  const word = useDriverDuty(state => state.word);
  const waiting = useDriverDuty(state => state.waiting);
  const now = useDutyNow(5000);
  return useMemo(() => word && shownDuty(word, waiting, Math.max(now, Date.parse(word.now))), [word, waiting, now]);
}
