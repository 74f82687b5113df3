import { useEffect } from 'react';

/** Keeps the screen on while the page is shown, if the browser supports and allows it. */
export function useAwake(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | null = null;
    let ended = false;
    const ask = async (): Promise<void> => {
      if (document.hidden || lock?.released === false) return;
      try {
        lock = await navigator.wakeLock.request('screen');
        if (ended) await lock.release();
      } catch {
        lock = null;
      }
    };
    // The browser releases the lock whenever the page is hidden.
    const onVisibility = (): void => void ask();
    void ask();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      ended = true;
      document.removeEventListener('visibilitychange', onVisibility);
      void lock?.release();
    };
  }, []);
}
