import { useEffect } from 'react';
import { setStage, useDashboard } from './state/dashboard-state.ts';

/**
 * The map over the whole screen. The page asks the browser for it and hides all else; where the browser has no full
 * screen, or refuses it, the map fills the window.
 */
export function useStage(): void {
  const isStaged = useDashboard(state => state.stage !== 'page');
  useEffect(() => {
    if (!isStaged) return;
    document.documentElement.dataset.mapStage = 'true';
    void document.documentElement.requestFullscreen?.().catch(() => {});
    // Esc, or the browser's own button.
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
