import type { Alert } from '@milepost/contract';
import { celsius } from '@milepost/units';
import { i18n } from '../app/i18n.ts';
import { formatCount } from '../format/locale.ts';
import { joined, type MeasureSystem, temperatureFigure, wireSpeedFigure } from '../format/measure.ts';

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

/** What was measured: `81 mph`, `44.2 °F`, `12%`, `11.4 V`; empty where nothing was. */
export function alertFigures({ figures: { speed, temp, battery, supply } }: Alert, system: MeasureSystem): string {
  return [
    speed === null ? '' : joined(wireSpeedFigure(speed, system)),
    temp === null ? '' : joined(temperatureFigure(celsius(temp), system)),
    battery === null ? '' : `${formatCount(Math.round(battery))}%`,
    supply === null ? '' : joined({ value: formatCount(supply), unit: 'V' }),
  ]
    .filter(Boolean)
    .join(' · ');
}
