import { type RefObject, useEffect, useState } from 'react';

/**
 * Shows the page alone, full screen, and keeps the screen on. If the browser has no full screen, the page is still
 * shown large.
 */
export function useWall(page: RefObject<HTMLElement | null>) {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    let lock: WakeLockSentinel | null = null;
    const leave = (): void => {
      if (document.fullscreenElement === null) setOn(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOn(false);
    };
    page.current?.requestFullscreen?.().catch(() => {});
    // Without the lock, the screen turns off as usual.
    navigator.wakeLock?.request('screen').then(
      given => {
        lock = given;
      },
      () => {},
    );
    document.addEventListener('fullscreenchange', leave);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('fullscreenchange', leave);
      document.removeEventListener('keydown', onKey);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
      void lock?.release();
    };
  }, [isOn, page]);
  return { isOn, enter: () => setOn(true), leave: () => setOn(false) };
}
