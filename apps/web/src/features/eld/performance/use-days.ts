import { PERFORMANCE_DAYS, type PerformanceDays } from '@milepost/contract';
import { useSearchParams } from 'react-router';

const DAYS = 'days';
const USUAL: PerformanceDays = 28;

/** How many days are scored. Stored in the URL, so that a link shows the same. */
export function useDays(): readonly [days: PerformanceDays, choose: (days: PerformanceDays) => void] {
  const [parameters, setParameters] = useSearchParams();
  const days = PERFORMANCE_DAYS.find(one => String(one) === parameters.get(DAYS)) ?? USUAL;
  const choose = (wanted: PerformanceDays) =>
    setParameters(
      now => {
        if (wanted === USUAL) now.delete(DAYS);
        else now.set(DAYS, String(wanted));
        return now;
      },
      { replace: true },
    );
  return [days, choose];
}
