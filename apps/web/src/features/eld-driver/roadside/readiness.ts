import type { MyDuty } from '@milepost/contract';
import { toCorrect } from '../../../logbook/form-error.ts';
import { officersDays } from './officers-days.ts';

export type ReadinessReason =
  | { readonly kind: 'uncertified' | 'unclaimed' | 'changes' | 'waiting'; readonly count: number }
  /** Days whose form is incomplete, and the newest of them. */
  | { readonly kind: 'form'; readonly count: number; readonly date: string }
  | { readonly kind: 'malfunction' | 'diagnostic'; readonly codes: string }
  | { readonly kind: 'usdot' | 'licence' | 'noVehicle' | 'pin' | 'rehearsal' };

export interface Readiness {
  /** Red: something that an officer can cite. Amber: something that only takes time. */
  readonly lamp: 'ready' | 'almost' | 'notReady';
  readonly reasons: readonly ReadinessReason[];
}

const RED: readonly ReadinessReason['kind'][] = ['uncertified', 'form', 'malfunction', 'usdot', 'licence'];

/** Letters are malfunctions, digits are data diagnostics. */
export const isMalfunction = (code: string): boolean => /^[A-Z]$/.test(code);

/** Whether an inspection would go smoothly now, and what to fix first. */
export function readinessOf(
  duty: MyDuty,
  phone: { readonly waiting: number; readonly hasPin: boolean; readonly hasRehearsed: boolean },
): Readiness {
  const faults = duty.row.faults;
  const malfunctions = faults.filter(isMalfunction);
  const diagnostics = faults.filter(code => !isMalfunction(code));
  const changes = duty.days.reduce((sum, day) => sum + day.proposals, 0);
  const incomplete = officersDays(duty).filter(day => toCorrect(day).length > 0);
  const reasons: ReadinessReason[] = [];
  const counted = (kind: 'uncertified' | 'unclaimed' | 'changes' | 'waiting', count: number): void => {
    if (count > 0) reasons.push({ kind, count });
  };
  counted('uncertified', duty.toCertify.length);
  if (incomplete[0]) reasons.push({ kind: 'form', count: incomplete.length, date: incomplete[0].date });
  if (malfunctions.length > 0) reasons.push({ kind: 'malfunction', codes: malfunctions.join(', ') });
  if (duty.carrier.usdotNumber === null && !duty.dutyLog.ruleset.startsWith('CA_')) reasons.push({ kind: 'usdot' });
  if (duty.driver.licenceNumber === null) reasons.push({ kind: 'licence' });
  counted('unclaimed', duty.unclaimed.length);
  counted('changes', changes);
  if (diagnostics.length > 0) reasons.push({ kind: 'diagnostic', codes: diagnostics.join(', ') });
  if (duty.vehicle === null) reasons.push({ kind: 'noVehicle' });
  counted('waiting', phone.waiting);
  if (!phone.hasPin) reasons.push({ kind: 'pin' });
  if (!phone.hasRehearsed) reasons.push({ kind: 'rehearsal' });
  const isRed = reasons.some(({ kind }) => RED.includes(kind));
  return { lamp: isRed ? 'notReady' : reasons.length > 0 ? 'almost' : 'ready', reasons };
}
