import type { DutyAction, MyDuty } from '@milepost/contract';
import type { TFunction } from 'i18next';
import { listOf } from '../../format/locale.ts';
import { logDate } from '../../logbook/home-time.ts';

/** What a driver entered, in words. */
export function entryWords(
  t: TFunction<['eldDriverMore', 'eldDriver', 'logbook']>,
  action: DutyAction,
  duty: MyDuty | null,
): string {
  switch (action.kind) {
    case 'sign-in': {
      const name = duty && vehicleName(duty, action.vehicleId);
      return name ? t('entry.sign-in', { name }) : t('todo.signIn');
    }
    case 'status':
      return t('entry.status', { status: t(`logbook:status.${action.status}`) });
    case 'load':
      return t('entry.load', { trailers: action.trailers, document: action.shippingDocument });
    case 'annotate':
      return t('entry.annotate', { text: action.text });
    case 'edit':
      return t('entry.edit', { status: t(`logbook:status.${action.status}`), reason: action.reason });
    case 'certify':
      return t('entry.certify', { days: listOf(action.dates.map(day => logDate(day))) });
    case 'declare':
      return t('entry.declare', { name: exceptionName(t, action.exception) });
    case 'end-exemption':
      return t('entry.end-exemption', { name: exceptionName(t, action.exception) });
    default:
      return t(`entry.${action.kind}`);
  }
}

/** Vehicles with a driver are not among those to sign in to; undefined if the phone no longer has the name. */
function vehicleName({ vehicle, vehicles, teamRequests }: MyDuty, id: string): string | undefined {
  const known = vehicle?.id === id ? vehicle : vehicles.find(one => one.id === id);
  return (known ?? teamRequests.find(({ vehicleId }) => vehicleId === id))?.deviceName;
}

const EXCEPTION_NAMES = [
  'adverseDriving',
  'shortHaul',
  'shortHaulNonCdl',
  'sixteenHourException',
  'wellSiteWaiting',
  'deferral',
  'agriculture',
  'emergencyRelief',
] as const;

function exceptionName(t: TFunction<['eldDriverMore', 'eldDriver', 'logbook']>, name: string): string {
  const known = EXCEPTION_NAMES.find(one => one === name);
  return known ? t(`exception.names.${known}`) : name;
}

const REFUSALS = [
  'in-motion',
  'nobody-signed-in',
  'no-change',
  'not-allowed',
  'not-your-vehicle',
  'nothing-asked',
  'in-the-future',
  'too-long-ago',
  'recorded-backward',
  'unknown-record',
  'not-active',
  'not-editable',
  'moved-too-far',
  'reason-missing',
  'driving-shortened',
  'not-pending',
  'day-not-over',
  'nothing-to-certify',
  'status-in-between',
  'end-missing',
  'invalid-input',
  'certification-missing',
  'not-in-team',
  'other-driving',
  'no-such-exemption',
  'already-exempt',
  'not-exempt',
] as const;

/** Why the server refused an entry, in words. */
export function refusalWords(
  t: TFunction<['eldDriverMore', 'eldDriver', 'logbook']>,
  { reason, refusal }: { readonly refusal: string | null; readonly reason: string | null },
): string {
  const known = REFUSALS.find(one => one === refusal);
  return known ? t(`refusal.${known}`) : t('refusal.other', { reason: reason ?? refusal ?? '' });
}
