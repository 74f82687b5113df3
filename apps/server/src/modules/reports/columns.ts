import type { ReportCell } from '@milepost/contract';
import type { Leg } from '@milepost/geo';
import type { Column, ReportItem } from './report.ts';
import { type Words, words } from './words.ts';

/** Columns that several reports have. */

export const vehicleColumn: Column<ReportItem> = {
  key: 'vehicle',
  title: words('Vehicle', 'Vehículo', 'Véhicule'),
  type: 'vehicle',
  of: ({ vehicle }) => vehicle?.name ?? null,
};

const USUAL = words('usual', 'habitual', 'habituel');

/** A driver of whom no card tells is said to be the usual one. */
export const driverColumn: Column<ReportItem> = {
  key: 'driver',
  title: words('Driver', 'Conductor', 'Conducteur'),
  type: 'text',
  of: ({ drivers = [] }, { language }) =>
    drivers.length === 0
      ? null
      : drivers.map(({ isUsual, name }) => (isUsual ? `${name} (${USUAL[language]})` : name)).join(', '),
};

interface OfLeg extends ReportItem {
  readonly leg: Leg;
}

export const fromColumn: Column<OfLeg> = {
  key: 'from',
  title: words('From', 'Desde', 'De'),
  type: 'place',
  of: ({ leg }, { sources }) => sources.placeOf(leg.start),
};

/** Empty for a stop, which ends where it begins. */
export const toColumn: Column<OfLeg> = {
  key: 'to',
  title: words('To', 'Hasta', 'À'),
  type: 'place',
  of: ({ leg }, { sources }) => (leg.kind === 'stop' ? null : sources.placeOf(leg.end)),
};

export const dayColumn: Column<ReportItem> = {
  key: 'day',
  title: words('Day', 'Día', 'Jour'),
  type: 'day',
  of: ({ day }, { calendar }) => (day === null ? null : calendar.dateOf(day)),
};

type Figure<Item extends ReportItem> = (item: Item) => number | null;

const added =
  (type: 'distance' | 'duration' | 'count') =>
  <Item extends ReportItem>(key: string, title: Words, of: Figure<Item>): Column<Item> => ({
    key,
    title,
    type,
    of: item => of(item),
    total: 'sum',
  });

/** Figures that are added up: meters, seconds, things. */
export const distance = added('distance');
export const duration = added('duration');
export const count = added('count');

export const topSpeed = <Item extends ReportItem>(of: Figure<Item>): Column<Item> => ({
  key: 'topSpeed',
  title: words('Top speed', 'Velocidad máxima', 'Vitesse maximale'),
  type: 'speed',
  of: item => of(item),
  total: 'max',
});

export const moment = <Item extends ReportItem>(
  key: string,
  title: Words,
  of: (item: Item) => number | string | null,
): Column<Item> => ({
  key,
  title,
  type: 'moment',
  of: item => {
    const at = of(item);
    return typeof at === 'number' ? new Date(at).toISOString() : at;
  },
});

/** A share of two sums: of a row its own, of all rows that of their totals. */
export const shareOf = <Item extends ReportItem>(
  key: string,
  title: Words,
  of: (item: Item) => readonly [part: number, whole: number],
  totals: readonly [part: string, others: readonly string[]],
): Column<Item> => ({
  key,
  title,
  type: 'share',
  of: item => quotient(...of(item)),
  total: total => {
    const [part, others] = totals;
    const whole = others.reduce((sum, other) => sum + (total(other) ?? 0), 0);
    return quotient(total(part) ?? 0, whole);
  },
});

export const quotient = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);

export const text = <Item extends ReportItem>(
  key: string,
  title: Words,
  of: (item: Item) => string | null,
): Column<Item> => ({ key, title, type: 'text', of: item => of(item) satisfies ReportCell });
