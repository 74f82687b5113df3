import { useRef } from 'react';
import { typedRow } from './tree-rows.ts';

/** Longest pause between the letters of a name. */
const PAUSE_MS = 700;

/**
 * Collects typed letters into a name. Returns the index of the matching row, or null. A space counts only after other
 * letters.
 */
export function useTyping(): (letter: string, names: readonly string[], at: number) => number | null {
  const typing = useRef({ text: '', ms: 0 });
  return (letter, names, at) => {
    const { text, ms } = typing.current;
    const now = performance.now();
    const before = now - ms > PAUSE_MS ? '' : text;
    const found = before === '' && letter === ' ' ? null : typedRow(names, at, before + letter);
    if (letter !== ' ' || found !== null) typing.current = { text: before + letter, ms: now };
    return found;
  };
}
