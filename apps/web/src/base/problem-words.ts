import {
  isCoded,
  type ParamUnit,
  type ProblemParams,
  paramUnit,
  problemOfIssue,
  wholeDuration,
} from '@milepost/contract';
import { metres } from '@milepost/units';
import type { z } from 'zod';
import { formatBytes } from '../format/bytes.ts';
import { formatCount, numberFormat } from '../format/locale.ts';
import { distanceFigure, joined, lengthFigure, volumeFigure, wireSpeedFigure } from '../format/measure.ts';
import { measureSystem } from '../format/use-measure-system.ts';
import { i18n } from './i18n.ts';

/** The code and parameters of a problem, for a whole request or for one of its fields. */
export interface Coded {
  readonly code: string;
  readonly params?: ProblemParams | undefined;
}

/**
 * Describes a problem in the user's language and units. Returns `otherwise` for a code that only a newer server knows.
 */
export function problemWords({ code, params = {} }: Coded, otherwise: string): string {
  // Texts with a plural have only one number, which picks the plural form.
  const count = Object.values(params).find(value => typeof value === 'number');
  const key = `problems:${code}` as 'problems:internal';
  const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, worded(name, value)]));
  const options = { ...values, ...(count !== undefined && { count }) };
  return i18n.exists(key, options) ? String(i18n.t(key, options)) : otherwise;
}

/** Describes what a schema found wrong. Checks that a form adds itself come with their own message. */
export function issueWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'custom' && !isCoded(issue)) return issue.message;
  return problemWords(problemOfIssue(issue), isCoded(issue) ? i18n.t('forms:invalid') : issue.message);
}

function worded(name: string, value: string | number): string {
  if (typeof value === 'string') return value;
  const unit = paramUnit(name);
  return unit === null ? formatCount(value) : IN_UNIT[unit](value);
}

const IN_UNIT: Readonly<Record<ParamUnit, (value: number) => string>> = {
  S: seconds => {
    const { value, unit } = wholeDuration(seconds);
    return numberFormat({ style: 'unit', unit, unitDisplay: 'long' }).format(value);
  },
  Bytes: formatBytes,
  Km: km => joined(distanceFigure(metres(km * 1000), measureSystem())),
  M: length => joined(lengthFigure(metres(length), measureSystem())),
  Kmh: kmh => joined(wireSpeedFigure(kmh, measureSystem())),
  L: litres => joined(volumeFigure(litres, measureSystem())),
};
