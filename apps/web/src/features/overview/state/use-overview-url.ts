import { useSearchParams } from 'react-router';
import { type Days, isPeriod, type PeriodName } from '../../../figures/period.ts';

export interface OverviewUrl {
  readonly period: PeriodName;
  /** The custom days as typed. */
  readonly custom: Days;
  readonly folder: string;
  readonly department: string;
  readonly change: (part: Readonly<Record<string, string>>) => void;
}

const DEFAULT_PERIOD = '28';

/** Period and filters are in the address, so a view can be shared. */
export function useOverviewUrl(): OverviewUrl {
  const [parameters, setParameters] = useSearchParams();
  const text = (name: string): string => parameters.get(name) ?? '';
  const period = parameters.get('period');
  return {
    period: isPeriod(period) ? period : DEFAULT_PERIOD,
    custom: { from: text('from'), to: text('to') },
    folder: text('folder'),
    department: text('department'),
    change: part =>
      setParameters(
        before => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(part)) {
            if (value === '' || (name === 'period' && value === DEFAULT_PERIOD)) after.delete(name);
            else after.set(name, value);
          }
          return after;
        },
        { replace: true },
      ),
  };
}
