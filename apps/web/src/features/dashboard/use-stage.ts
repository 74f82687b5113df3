import { useEffect } from 'react';
import { setStage, useDashboard } from './state/dashboard-state.ts';

/**
 * Shows the map full screen: asks the browser for full screen and hides everything else. If the browser can't or
 * refuses, the map fills the window.
 */
export function useStage(): void {
  const isStaged = useDashboard(state => state.stage !== 'page');
  useEffect(() => {
    if (!isStaged) return;
    document.documentElement.dataset.mapStage = 'true';
    void document.documentElement.requestFullscreen?.().catch(() => {});
    // The user left full screen with Esc or the browser's own button.
    const onChange = (): void => {
      if (!document.fullscreenElement) setStage('page');
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      delete document.documentElement.dataset.mapStage;
      if (document.fullscreenElement) void document.exitFullscreen();
    };
  }, [isStaged]);
  useEffect(() => () => setStage('page'), []);
}
