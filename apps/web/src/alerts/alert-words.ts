import type { Alert } from '@milepost/contract';
import { i18n } from '../app/i18n.ts';

/** Events that say more than the kind they belong to. */
const TOLD_EVENTS = [
  'fall',
  'falseBaseStation',
  'geofenceEnter',
  'geofenceExit',
  'harshAcceleration',
  'harshBraking',
  'harshCornering',
  'laneChange',
  'powerLow',
  'rollover',
  'simChanged',
  'sound',
  'theft',
] as const;
type ToldEvent = (typeof TOLD_EVENTS)[number];

const isTold = (event: string | null): event is ToldEvent => TOLD_EVENTS.some(told => told === event);

/** What happened, in a few words: "Harsh braking", "Power cut". Whoever shows it brings the texts `alerts`. */
export function alertWords({ kind, event }: Pick<Alert, 'kind' | 'event'>): string {
  return isTold(event) ? i18n.t(`alerts:event.${event}`) : i18n.t(`alerts:kind.${kind}`);
}
