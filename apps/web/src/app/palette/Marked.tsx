import type { Ranges } from './find.ts';

/** A text with the letters that match in it marked. */
export function Marked({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) {
  if (ranges.length === 0) return text;
  const parts = [];
  let from = 0;
  for (let at = 0; at + 1 < ranges.length; at += 2) {
    const [start = 0, end = 0] = ranges.slice(at, at + 2);
    parts.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return [...parts, text.slice(from)];
}
