import { useEffect, useEffectEvent } from 'react';
import { addShortcuts, type Shortcut } from './shortcuts.ts';

/** Registers shortcuts while the component is mounted. Their functions may change with every render. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const signature = shortcuts.map(({ keys, label }) => `${keys.join(' ')}=${label}`).join('|');
  const run = useEffectEvent((index: number) => shortcuts[index]?.run());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signature stands for keys and labels; `run` reads the newest.
  useEffect(
    () => addShortcuts(shortcuts.map((shortcut, index) => ({ ...shortcut, run: () => run(index) }))),
    [signature],
  );
}
