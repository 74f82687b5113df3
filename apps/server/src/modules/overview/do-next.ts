import type { DoNextKind, Overview, Severity } from '@milepost/contract';
import type { VehicleSums } from '../history/days/day-sums.ts';
import type { Ending } from './expiring-documents.ts';
import type { VehicleNow } from './fleet-now.ts';

type Step = Overview['doNext'][number];

export interface OpenAlert {
  /** Null of a task without a vehicle: the name is the task's. */
  readonly vehicleId: number | null;
  readonly name: string;
  readonly severity: Severity;
}

/** Findings that need attention, without those that the reader may not see. */
export interface Findings {
  readonly now: readonly VehicleNow[];
  readonly sums: readonly VehicleSums[];
  readonly alerts: readonly OpenAlert[];
  readonly vehicleDocuments: readonly Ending[];
  readonly driverDocuments: readonly Ending[];
  readonly subscriptions: readonly Ending[];
}

const MOST = 7;
const NAMED = 3;
/** Average idling for each vehicle day in use, in seconds. */
const IDLED_S = 3600;
/** Fewer fixes are no evidence, and one in fifty is wrong between tall buildings. */
const DOUBTED_FIXES = 20;
const DOUBTED_SHARE = 0.02;

interface About {
  readonly vehicleId: number | null;
  readonly name: string;
}

/**
 * Steps in order: safety, compliance, cost, then missing data. One step for each kind, with the figures that support
 * it.
 */
export function doNext(findings: Findings): Step[] {
  const { now, sums, alerts, vehicleDocuments, driverDocuments, subscriptions } = findings;
  const nameOf = new Map(now.map(({ vehicle }) => [vehicle.id, vehicle.name]));
  const ofVehicles = (vehicles: readonly VehicleNow[]): About[] =>
    vehicles.map(({ vehicle }) => ({ vehicleId: vehicle.id, name: vehicle.name }));
  const ofSums = (vehicles: readonly VehicleSums[]): About[] =>
    vehicles.map(({ vehicleId }) => ({ vehicleId, name: nameOf.get(vehicleId) ?? '' }));

  const silent = now
    .filter(({ status }) => status === 'offline')
    .toSorted((a, b) => (b.silentMs ?? 0) - (a.silentMs ?? 0));
  const idledADay = ({ idlingS, inUse }: VehicleSums): number => idlingS / Math.max(1, inUse);
  const idled = sums.filter(each => idledADay(each) >= IDLED_S).toSorted((a, b) => idledADay(b) - idledADay(a));
  const shareOf = ({ fixes, leftOut }: VehicleSums): number => leftOut / (fixes + leftOut);
  const doubted = sums
    .filter(each => each.leftOut >= DOUBTED_FIXES && shareOf(each) >= DOUBTED_SHARE)
    .toSorted((a, b) => shareOf(b) - shareOf(a));
  const nobodyDrives = now.filter(({ status, driverId }) => driverId === null && status === 'moving');
  const bySeverity = (severity: Severity): About[] => alerts.filter(alert => alert.severity === severity);
  const [ended, ending] = [(document: Ending) => document.days < 0, (document: Ending) => document.days >= 0];
  const first = (documents: readonly Ending[]): number | null => documents[0]?.days ?? null;

  return [
    step('criticalAlerts', 'critical', bySeverity('critical'), null),
    step('driverDocumentsEnded', 'critical', driverDocuments.filter(ended), first(driverDocuments.filter(ended))),
    step('documentsEnded', 'critical', vehicleDocuments.filter(ended), first(vehicleDocuments.filter(ended))),
    step('subscriptionsOver', 'critical', subscriptions.filter(isOver), null),
    step('warningAlerts', 'warning', bySeverity('warning'), null),
    step('silent', 'warning', ofVehicles(silent), silent[0] ? (silent[0].silentMs ?? 0) / 1000 : null),
    step('noDriver', 'warning', ofVehicles(nobodyDrives), null),
    step('idled', 'warning', ofSums(idled), idled[0] ? idledADay(idled[0]) : null),
    step('gpsDoubts', 'warning', ofSums(doubted), doubted[0] ? shareOf(doubted[0]) : null),
    step('driverDocumentsEnding', 'info', driverDocuments.filter(ending), first(driverDocuments.filter(ending))),
    step('documentsEnding', 'info', vehicleDocuments.filter(ending), first(vehicleDocuments.filter(ending))),
    step('subscriptionsEnding', 'info', subscriptions.filter(isRunning), first(subscriptions.filter(isRunning))),
    step('neverHeard', 'info', ofVehicles(now.filter(({ status }) => status === 'no-data')), null),
  ]
    .flatMap(found => found ?? [])
    .slice(0, MOST);
}

const isOver = ({ days }: Ending): boolean => days === 0;
const isRunning = ({ days }: Ending): boolean => days > 0;

function step(kind: DoNextKind, severity: Severity, about: readonly About[], measure: number | null): Step | null {
  if (about.length === 0) return null;
  const named = about.slice(0, NAMED).map(({ vehicleId, name }) => ({
    deviceId: vehicleId === null ? null : String(vehicleId),
    name,
  }));
  return { kind, severity, count: about.length, about: named, measure };
}
