import type { FleetPeriod } from '@milepost/contract';
import { celsius, metres, metresPerSecond } from '@milepost/units';
import type { TFunction } from 'i18next';
import { formatDate } from '../../../format/date.ts';
import { clockFigure, formatAge, formatDuration, isWorthSaying } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';
import {
  distanceFigure,
  type Figure,
  type MeasureSystem,
  speedFigure,
  temperatureFigure,
  wholeOdometerFigure,
  wireSpeedFigure,
} from '../../../format/measure.ts';
import { formatCoordinates, placeWords } from '../../../format/place.ts';
import { formatMoment } from '../../../format/time.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { clocksAt } from '../../../logbook/clocks.ts';
import { isLate, isThere } from '../../../tasks/task-times.ts';
import { protocolName } from '../../../vehicles/protocol-name.ts';
import { fixTime, inTense, speedOf, toldMs } from '../../../vehicles/shown.ts';
import { isOld } from '../../../vehicles/vehicle-shape.ts';
import { driverOf, gsmQuality, modelOf, odometerOf } from '../../../vehicles/vehicle-words.ts';
import { type FleetFacts, trackedS } from '../facts.ts';
import type { ColumnId } from './column-ids.ts';

type Sums = FleetPeriod['vehicles'][number];
export type FleetT = TFunction<['fleet', 'vehicle']>;

/** The user's language and units, and the current time. */
export interface Reader {
  readonly t: FleetT;
  readonly system: MeasureSystem;
  readonly nowMs: number;
  /** The page shows a past moment, so times are shown instead of ages. */
  readonly isPast?: boolean;
}

export interface FleetColumn {
  readonly width: number;
  /** Takes the remaining width. */
  readonly flexible?: true;
  /** Figures are aligned to the right. */
  readonly align?: 'end';
  /** Column name, with the unit of its figures. */
  readonly head: (t: FleetT, system: MeasureSystem) => string;
  /** The cell's text without the unit, which is in the column's name. Empty: no value. */
  readonly text: (entry: VehicleEntry, facts: FleetFacts, reader: Reader) => string;
}

const figure = (figure: Figure): string => figure.value;
const unitOf = (make: (system: MeasureSystem) => Figure) => (system: MeasureSystem) => make(system).unit;
const speedUnit = unitOf(system => wireSpeedFigure(0, system));
const distanceUnit = unitOf(system => distanceFigure(metres(0), system));
const heatUnit = unitOf(system => temperatureFigure(celsius(0), system));

/** A vehicle's figures for today or the shown period. */
const sum = (
  width: number,
  head: 'distance' | 'idled' | 'driven' | 'inuse' | 'stops' | 'topspeed' | 'tracked' | 'doubts' | 'began',
  text: (sums: Sums, system: MeasureSystem) => string,
  { unit }: { readonly unit?: (system: MeasureSystem) => string } = {},
): FleetColumn => ({
  width,
  align: 'end',
  head: (t, system) => t(`columns.${head}`, { unit: unit?.(system) }),
  text: ({ vehicle }, { sumsOf }, { system }) => {
    const sums = sumsOf(vehicle);
    return sums ? text(sums, system) : '';
  },
});

export const COLUMNS: Readonly<Record<ColumnId, FleetColumn>> = {
  unit: { width: 112, head: t => t('columns.unit'), text: ({ vehicle }) => vehicle.deviceName },
  status: {
    width: 104,
    head: t => t('columns.status'),
    text: ({ now }, _, { t }) => t(`vehicle:status.${now.status}`),
  },
  driver: { width: 160, head: t => t('columns.driver'), text: entry => driverOf(entry)?.name ?? '' },
  duty: { width: 72, head: t => t('columns.duty'), text: (entry, { hoursOf }) => hoursOf?.(entry)?.status ?? '' },
  place: { width: 168, flexible: true, head: t => t('columns.place'), text: placeOf },
  inside: { width: 184, head: t => t('columns.inside'), text: insideOf },
  speed: {
    width: 60,
    align: 'end',
    head: (_, system) => speedUnit(system),
    text: (entry, _, { system, nowMs }) => {
      const shown = speedOf(entry, nowMs);
      return shown ? inTense(shown.tense, figure(speedFigure(shown.speed, system))) : '';
    },
  },
  since: { width: 108, head: t => t('columns.since'), text: (entry, _, reader) => sinceOf(entry, reader) },
  age: {
    width: 58,
    align: 'end',
    head: t => t('columns.age'),
    text: (entry, _, { isPast, nowMs }) => {
      if (isPast) return fixTime(entry, nowMs) ?? '';
      const told = toldMs(entry);
      return told === null ? '' : formatAge(nowMs - told);
    },
  },
  ignition: {
    width: 52,
    head: t => t('columns.ignition'),
    text: ({ report }, _, { t }) =>
      report?.ignitionStatus == null ? '' : t(report.ignitionStatus === 1 ? 'cell.on' : 'cell.off'),
  },
  fuel: {
    width: 88,
    head: t => t('columns.fuel'),
    text: ({ report }) => (report?.fuelGage == null ? '' : `${Math.round(report.fuelGage)}%`),
  },
  temperature: {
    width: 84,
    align: 'end',
    head: (t, system) => t('columns.temperature', { unit: heatUnit(system) }),
    text: ({ report }, _, { system }) =>
      report?.temp == null ? '' : figure(temperatureFigure(celsius(report.temp), system)),
  },
  gsm: {
    width: 72,
    head: t => t('columns.gsm'),
    text: ({ report }, _, { t }) => (report?.gsmStatus == null ? '' : t(`vehicle:gsm.${gsmQuality(report.gsmStatus)}`)),
  },
  gps: {
    width: 84,
    head: t => t('columns.gps'),
    text: ({ report }, _, { t }) => {
      if (!report) return '';
      if (report.gpsStatus === 'V') return t('cell.noFix');
      return report.satellites == null ? t('cell.fix') : t('cell.satellites', { count: report.satellites });
    },
  },
  odometer: {
    width: 104,
    align: 'end',
    head: (t, system) => t('columns.odometer', { unit: distanceUnit(system) }),
    text: (entry, _, { system }) => {
      const km = odometerOf(entry);
      return km === null ? '' : figure(wholeOdometerFigure(km, system));
    },
  },
  today: sum(92, 'distance', ({ distanceM }, system) => figure(wholeOdometerFigure(distanceM / 1000, system)), {
    unit: distanceUnit,
  }),
  idled: sum(76, 'idled', ({ idlingS }) => clockFigure(idlingS)),
  driven: sum(84, 'driven', ({ movingS }) => clockFigure(movingS)),
  inuse: sum(84, 'inuse', ({ inUse }) => formatCount(inUse)),
  stops: sum(72, 'stops', ({ stops }) => formatCount(stops)),
  topspeed: sum(
    104,
    'topspeed',
    ({ maxSpeedMps }, system) =>
      maxSpeedMps === null ? '' : figure(speedFigure(metresPerSecond(maxSpeedMps), system)),
    { unit: speedUnit },
  ),
  tracked: sum(84, 'tracked', sums => clockFigure(trackedS(sums) ?? 0)),
  doubts: sum(104, 'doubts', ({ leftOut }) => formatCount(leftOut)),
  began: sum(92, 'began', ({ alerts }) => (alerts === null ? '' : formatCount(alerts))),
  hours: { width: 112, head: t => t('columns.hours'), text: hoursLeftOf },
  task: { width: 140, head: t => t('columns.task'), text: taskOf },
  alerts: {
    width: 64,
    head: t => t('columns.alerts'),
    text: ({ vehicle }, { alertsOf }) => String(alertsOf(vehicle)?.count ?? ''),
  },
  folder: {
    width: 156,
    head: t => t('columns.folder'),
    text: ({ vehicle }, { folderOf }) => folderOf(vehicle)?.path.join(' › ') ?? '',
  },
  tags: { width: 128, head: t => t('columns.tags'), text: ({ vehicle }) => vehicle.tags.join(', ') },
  vehicle: { width: 168, head: t => t('columns.vehicle'), text: ({ vehicle }) => modelOf(vehicle) },
  plate: { width: 92, head: t => t('columns.plate'), text: ({ vehicle }) => vehicle.plate ?? '' },
  vin: { width: 152, head: t => t('columns.vin'), text: ({ vehicle }) => vehicle.vin ?? '' },
  tracker: { width: 116, head: t => t('columns.tracker'), text: ({ vehicle }) => vehicle.trackerModel ?? '' },
  protocol: {
    width: 96,
    head: t => t('columns.protocol'),
    text: ({ vehicle }) => protocolName(vehicle.protocol) ?? '',
  },
  imei: { width: 132, head: t => t('columns.imei'), text: ({ vehicle }) => vehicle.imei },
  documents: {
    width: 128,
    head: t => t('columns.documents'),
    text: ({ vehicle }) => (vehicle.documentsExpireOn === null ? '' : formatDate(vehicle.documentsExpireOn)),
  },
  days: {
    width: 96,
    align: 'end',
    head: t => t('columns.days'),
    text: ({ vehicle }) => (vehicle.daysRemaining === null ? '' : String(vehicle.daysRemaining)),
  },
};

/** The address from the server, or else the coordinates of the last valid fix. */
function placeOf({ now, report, place }: VehicleEntry, _: FleetFacts, { t, system }: Reader): string {
  if (now.status === 'no-data') return t('cell.waiting');
  const known = (report && placeWords(report, system)) || (place ? formatCoordinates(place.lat, place.lon) : '');
  return now.status === 'no-gps' && known !== '' ? t('cell.lastFix', { place: known }) : known;
}

/** What is left of the driving time and the shift of the driver signed in. */
function hoursLeftOf(entry: VehicleEntry, { hoursOf }: FleetFacts, { t, nowMs }: Reader): string {
  const row = hoursOf?.(entry);
  if (!row) return '';
  const { drive, window } = clocksAt(row, nowMs);
  return t('cell.hours', { driving: clockFigure(drive.leftS), shift: clockFigure(window.leftS) });
}

/** What the vehicle has to do next, and when it will be there or how late it will be. */
function taskOf(entry: VehicleEntry, { taskOf: of }: FleetFacts, { t, nowMs }: Reader): string {
  const task = of?.(entry);
  if (!task) return '';
  const name = task.ref ?? task.title;
  if (isThere(task)) return t('cell.taskThere', { name });
  const { arriveAt = null, spareS = null } = task.eta ?? {};
  if (spareS !== null && spareS < 0) return t('cell.taskLate', { name, late: clockFigure(-spareS) });
  if (isLate(task, nowMs)) return t('cell.taskOver', { name });
  return arriveAt === null ? name : t('cell.taskAt', { name, time: formatMoment(Date.parse(arriveAt), nowMs) });
}

/**
 * The geofences that the vehicle is inside, and for how long; without the duration if the vehicle no longer reports.
 */
function insideOf(entry: VehicleEntry, { insideOf: of }: FleetFacts, { t, nowMs }: Reader): string {
  return (of?.(entry.vehicle) ?? [])
    .map(({ isAtLeast, name, sinceMs }) => {
      if (isOld(entry) || !isWorthSaying(isAtLeast, nowMs - sinceMs)) return name;
      const duration = formatDuration(nowMs - sinceMs);
      return t(isAtLeast ? 'cell.insideAtLeast' : 'cell.inside', { name, duration });
    })
    .join(' · ');
}

/** How long the status has lasted; for an outdated status, the time of the last information. */
function sinceOf(entry: VehicleEntry, { t, nowMs }: Reader): string {
  const { now } = entry;
  const told = toldMs(entry);
  if (isOld(entry) && told !== null) return t('cell.asOf', { time: formatMoment(told, nowMs) });
  return now.sinceMs === null ? '' : formatDuration(nowMs - now.sinceMs);
}
