import { useSearchParams } from 'react-router';

const VIEW = 'view';
/** The day of the log that is open. */
export const DATE = 'date';
/** The vehicle whose code the driver scanned (`paths.eldSignIn`). */
const VEHICLE = 'vehicle';
/** What the driver has opened on top of the status. It is in the address, so that the phone's Back button closes it. */
export const DRIVER_VIEWS = [
  'log',
  'vehicle',
  'certify',
  'changes',
  'unclaimed',
  'team',
  'phone',
  'refused',
  'inspect',
  'review',
  'exception',
  'readiness',
  'roadside',
] as const;
export type DriverView = (typeof DRIVER_VIEWS)[number];

export function useView(): {
  readonly view: DriverView | null;
  readonly scanned: string | null;
  /** A log also on a day of the past. */
  readonly open: (view: DriverView, date?: string) => void;
  readonly close: () => void;
} {
  const [parameters, setParameters] = useSearchParams();
  const scanned = parameters.get(VEHICLE);
  const wanted = parameters.get(VIEW) ?? (scanned === null ? null : 'vehicle');
  return {
    scanned,
    view: DRIVER_VIEWS.find(one => one === wanted) ?? null,
    open: (view, date) => setParameters({ [VIEW]: view, ...(date !== undefined && { [DATE]: date }) }),
    close: () => setParameters({}, { replace: true }),
  };
}
