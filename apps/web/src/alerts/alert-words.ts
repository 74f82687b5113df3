import type { Alert } from '@milepost/contract';
import { celsius, metres } from '@milepost/units';
import { i18n } from '../base/i18n.ts';
import { formatDate } from '../format/date.ts';
import { formatDuration } from '../format/duration.ts';
import { formatCount } from '../format/locale.ts';
import { distanceFigure, joined, type MeasureSystem, temperatureFigure, wireSpeedFigure } from '../format/measure.ts';
import { formatMoment } from '../format/time.ts';
import { paths } from '../paths.ts';
import { protocolName } from '../vehicles/protocol-name.ts';

/** Events whose names say more than the alert's kind. */
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

/** What happened, in a few words: "Harsh braking", "Power cut". Needs the texts `alerts`. */
export function alertWords({ kind, event, rule }: Pick<Alert, 'kind' | 'event' | 'rule'>): string {
  if (rule?.name) return rule.name;
  return isTold(event) ? i18n.t(`alerts:event.${event}`) : i18n.t(`alerts:kind.${kind}`);
}

/**
 * An alert's geofence and, for rules about crossings, whether it was entered or left, or what should have been visited
 * instead; for rules about another vehicle, which; for rules about dates, what ends when. Needs the texts `alerts`.
 */
export function alertGeofence({ geofence, rule }: Pick<Alert, 'geofence' | 'rule'>): string | null {
  if (rule?.about) return [...rule.about.titles, formatDate(rule.about.on)].join(' · ');
  if (rule?.other) return i18n.t('alerts:otherVehicle', { name: rule.other.name });
  if (!rule?.geofence) return geofence;
  if (rule.expected !== null) {
    return i18n.t('alerts:insteadOf', { name: rule.geofence, expected: rule.expected });
  }
  return rule.crossing === null ? rule.geofence : i18n.t(`alerts:crossing.${rule.crossing}`, { name: rule.geofence });
}

/** Measured values: `81 mph`, `44.2 °F`, `battery 12%`, `11.4 V`; empty if there are none. Needs the texts `alerts`. */
export const alertFigures = ({ figures }: Pick<Alert, 'figures'>, system: MeasureSystem): string =>
  figuresText(figures, system);

export function figuresText(
  { speed, temp, battery, supply, fuelLost }: Alert['figures'],
  system: MeasureSystem,
): string {
  return [
    speed === null ? '' : joined(wireSpeedFigure(speed, system)),
    temp === null ? '' : joined(temperatureFigure(celsius(temp), system)),
    battery === null ? '' : i18n.t('alerts:figure.battery', { percent: `${formatCount(Math.round(battery))}%` }),
    supply === null ? '' : joined({ value: formatCount(supply), unit: 'V' }),
    fuelLost === null ? '' : i18n.t('alerts:figure.fuel', { percent: `−${formatCount(Math.round(fuelLost))}%` }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** What conflicted: `OsmAnd from 203.0.113.7 was refused; this vehicle uses Teltonika`; empty for other alerts. */
export function alertConflict({ conflict }: Pick<Alert, 'conflict'>, system: MeasureSystem): string {
  if (conflict === null) return '';
  const { address, cause, distanceKm, own, protocol, speeds } = conflict;
  const pair = (speeds ?? []).map(speed => (speed === null ? '–' : joined(wireSpeedFigure(speed, system))));
  return i18n.t(`alerts:conflict.${cause}`, {
    protocol: protocolName(protocol),
    own: protocolName(own),
    address: address ?? i18n.t('alerts:conflict.nowhere'),
    speeds: pair.join(' / '),
    distance: distanceKm === null ? '–' : joined(distanceFigure(metres(distanceKm * 1000), system)),
  });
}

/**
 * The task that will be late, and by how much: `PO-4762: there 18:20, 50 m late`; of one that no driver can make, how
 * many were asked; empty of others.
 */
export function alertTask({ kind, task }: Pick<Alert, 'kind' | 'task'>, nowMs: number): string {
  if (task === null) return '';
  const { arriveAt, dueTo, lateS, reason } = task;
  const words = { task: task.ref ?? task.title, due: dueTo === null ? '–' : formatMoment(Date.parse(dueTo), nowMs) };
  if (kind === 'taskNoDriver') {
    const { cannot = 0, unknown = 0 } = task.drivers ?? {};
    const isOver = reason?.code === 'window-over';
    return [
      task.ref !== null && task.title,
      isOver ? i18n.t('alerts:task.nobody', words) : i18n.t('alerts:task.noDriver', { ...words, count: cannot }),
      !isOver && unknown > 0 && i18n.t('alerts:task.unknown', { drivers: formatCount(unknown) }),
    ]
      .filter(Boolean)
      .join(' · ');
  }
  if (reason?.code === 'window-over') return i18n.t('alerts:task.over', words);
  if (arriveAt === null) return i18n.t('alerts:task.never', words);
  return i18n.t('alerts:task.there', {
    ...{ task: words.task, time: formatMoment(Date.parse(arriveAt), nowMs) },
    duration: formatDuration((lateS ?? 0) * 1000),
  });
}

/** The page of dispatch with the task of an alert without a vehicle. */
export const taskOf = ({ task }: Pick<Alert, 'task'>): string =>
  task?.id == null ? paths.dispatch() : paths.opened(paths.dispatch(), task.id);
