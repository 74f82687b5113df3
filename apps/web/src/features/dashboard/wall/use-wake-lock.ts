import { useEffect } from 'react';

/** Keeps the screen awake if the browser can. The browser releases the lock whenever the tab is hidden. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    const ask = async (): Promise<void> => {
      if (document.hidden || !('wakeLock' in navigator)) return;
      // The browser may refuse, for example on a low battery; the wall then goes on without it.
      lock = await navigator.wakeLock.request('screen').catch(() => null);
      if (isOver) void lock?.release();
    };
    void ask();
    document.addEventListener('visibilitychange', ask);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', ask);
      void lock?.release();
    };
  }, []);
}
