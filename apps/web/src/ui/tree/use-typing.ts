import { useRef } from 'react';
import { typedRow } from './tree-rows.ts';

/** Longest pause inside a typed name. */
const PAUSE_MS = 700;

/** Collects letters into a name; gives the row that they lead to, or null. A space counts only inside a name. */
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
