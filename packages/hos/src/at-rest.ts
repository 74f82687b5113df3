import type { RawDeclaration, RawLog } from './raw-log.ts';
import { readTime } from './raw-values.ts';

const MINUTE = 60_000;
/** What was declared so long before a first status says nothing about now. */
const LONGEST = 31 * 24 * 60 * MINUTE;

/**
 * The log of a driver who has no status yet: at rest from before whatever they have declared, so that a declaration
 * counts from its own moment on, as it would later in the log.
 */
export function atRest(log: Omit<RawLog, 'segments'>, now: number): RawLog {
  const declared = (log.declarations ?? []).flatMap(({ start }: RawDeclaration) => readTime(start) ?? []);
  const start = Math.max(Math.min(now, ...declared), now - LONGEST) - MINUTE;
  return { ...log, segments: [{ status: 'OFF', start, end: now }] };
}
