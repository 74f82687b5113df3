import { useSearchParams } from 'react-router';

const VIEW = 'view';
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
  readonly open: (view: DriverView) => void;
  readonly close: () => void;
} {
  const [parameters, setParameters] = useSearchParams();
  const scanned = parameters.get(VEHICLE);
  const wanted = parameters.get(VIEW) ?? (scanned === null ? null : 'vehicle');
  return {
    scanned,
    view: DRIVER_VIEWS.find(one => one === wanted) ?? null,
    open: view => setParameters({ [VIEW]: view }),
    close: () => setParameters({}, { replace: true }),
  };
}
