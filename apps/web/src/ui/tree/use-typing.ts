import { useRef } from 'react';
import { typedRow } from './tree-rows.ts';

/** Longest pause inside a typed name. */
const PAUSE_MS = 700;

/** Collects letters into a name; gives the row that they lead to, or null. */
export function useTyping(): (letter: string, names: readonly string[], at: number) => number | null {
  const typing = useRef({ text: '', ms: 0 });
  return (letter, names, at) => {
    const { text, ms } = typing.current;
    const now = performance.now();
    typing.current = { text: now - ms > PAUSE_MS ? letter : text + letter, ms: now };
    return typedRow(names, at, typing.current.text);
  };
}
