import { fromHours } from '@milepost/units';
import type { Segment } from './duty-log.ts';
import { type Declaration, EXCEPTIONS, isException } from './exception.ts';
import { EARLIEST, type Fields, isObject, LATEST, type Report, readTime } from './raw-values.ts';

const MAX_DECLARATIONS = 1000;
const LONGEST_BEFORE = fromHours(24);

/**
 * `flags` apply to the whole log, `declarations` to their own period. One without an end from long before the log
 * belongs to a shift that the log doesn't show.
 */
export function readDeclarations(
  raw: Fields,
  segments: readonly Segment[],
  report: Report,
): readonly Declaration[] | null {
  const declarations: Declaration[] = [];
  const { flags = {}, declarations: list = [] } = raw;
  if (!isObject(flags)) return report('not-a-declaration', 'flags');
  const start = segments[0]?.start ?? EARLIEST;
  for (const exception of EXCEPTIONS) {
    if (flags[exception] === true) declarations.push({ exception, start, end: LATEST });
  }
  for (const flag of Object.keys(flags).slice(0, MAX_DECLARATIONS)) {
    if (!isException(flag)) report('unknown-exception', `flags.${flag}`);
    else if (typeof flags[flag] !== 'boolean') report('not-a-declaration', `flags.${flag}`);
  }
  if (!Array.isArray(list)) return report('not-a-declaration', 'declarations');
  if (list.length > MAX_DECLARATIONS) return report('too-many-declarations', 'declarations');
  for (let index = 0; index < list.length; index++) {
    const declaration = readDeclaration(list[index], `declarations[${index}]`, report);
    if (declaration) declarations.push(declaration);
  }
  const earliest = start - LONGEST_BEFORE;
  return declarations.filter(one => one.end !== null || one.start >= earliest).sort((a, b) => a.start - b.start);
}

function readDeclaration(raw: unknown, at: string, report: Report): Declaration | null {
  if (!isObject(raw)) return report('not-a-declaration', at);
  const { exception } = raw;
  if (!isException(exception)) return report('unknown-exception', `${at}.exception`);
  const start = readTime(raw.start);
  if (start === null) return report('bad-time', `${at}.start`);
  if (raw.end === undefined || raw.end === null) return { exception, start, end: null };
  const end = readTime(raw.end);
  if (end === null || end <= start) return report('bad-time', `${at}.end`);
  return { exception, start, end };
}
