import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { loopFrom, loopTo, STEP_MS } from './Controls.tsx';
import type { Player } from './player.ts';

const STEP_SHORT_MS = 10_000;

interface Keys {
  readonly player: Player;
  readonly toEvent: (direction: 1 | -1) => void;
  readonly toFix: (direction: 1 | -1) => void;
  readonly onFollow: () => void;
  readonly onGhosts: () => void;
  readonly onDay: (direction: 1 | -1) => void;
}

export function useReplayKeys({ player, toEvent, toFix, onFollow, onGhosts, onDay }: Keys): void {
  const { t } = useTranslation('replay');
  const group = t('title');
  const isPressed = (): boolean => document.activeElement?.matches('button, a, [role="slider"]') === true;
  useShortcuts([
    {
      keys: [' '],
      label: t('playPause'),
      group,
      run: () => {
        // A focused button takes the key.
        const { activeElement } = document;
        if (isPressed() && activeElement instanceof HTMLElement && activeElement.matches('button, a'))
          activeElement.click();
        else player.toggle();
      },
    },
    { keys: ['ArrowLeft'], label: t('secondsBack'), group, run: () => player.step(-STEP_SHORT_MS) },
    { keys: ['ArrowRight'], label: t('secondsOn'), group, run: () => player.step(STEP_SHORT_MS) },
    { keys: ['ArrowUp'], label: t('faster'), group, run: () => player.changeSpeed(1) },
    { keys: ['ArrowDown'], label: t('slower'), group, run: () => player.changeSpeed(-1) },
    { keys: [','], label: t('previousFix'), group, run: () => toFix(-1) },
    { keys: ['.'], label: t('nextFix'), group, run: () => toFix(1) },
    { keys: ['p'], label: t('previousEvent'), group, run: () => toEvent(-1) },
    { keys: ['n'], label: t('nextEvent'), group, run: () => toEvent(1) },
    { keys: ['f'], label: t('follow'), group, run: onFollow },
    { keys: ['t'], label: t('ghosts'), group, run: onGhosts },
    { keys: ['s'], label: t('skipStops'), group, run: () => player.skipStops(!player.state.skipsStops) },
    { keys: ['a'], label: t('loopFrom'), group, run: () => loopFrom(player) },
    { keys: ['b'], label: t('loopTo'), group, run: () => loopTo(player) },
    { keys: ['['], label: t('previousDay'), group, run: () => onDay(-1) },
    { keys: [']'], label: t('nextDay'), group, run: () => onDay(1) },
  ]);
  // The shortcut registry doesn't tell arrows with Shift apart: here they step a minute instead of seconds.
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const isArrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
      const isOwn =
        event.target instanceof HTMLElement &&
        event.target.matches('input, select, textarea, [role="tab"], [role="slider"]');
      if (!event.shiftKey || !isArrow || event.defaultPrevented || isOwn) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      player.step(event.key === 'ArrowLeft' ? -STEP_MS : STEP_MS);
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [player]);
}
