import type { AlertKind } from '@milepost/contract';
import type { AlertFigures } from '../../db/alert-schema.ts';
import type { StoredPosition } from '../../tracks/stored-position.ts';

const OF_SPEED: ReadonlySet<AlertKind> = new Set(['overspeed', 'harshDriving', 'crash', 'tow']);
const OF_POWER: ReadonlySet<AlertKind> = new Set(['batteryLow', 'powerCut']);

type Measured = Pick<StoredPosition, 'speed' | 'temperature' | 'attributes'>;

/** A report's figures that matter for an alert of this kind. */
export function figuresOf(kind: AlertKind, { speed, temperature, attributes }: Measured): AlertFigures {
  const figures: Record<keyof AlertFigures, number | null> = {
    speed: OF_SPEED.has(kind) ? speed : null,
    temperature: kind === 'trackerAlarm' ? temperature : null,
    battery: OF_POWER.has(kind) ? numberOf(attributes?.batteryLevel) : null,
    supply: OF_POWER.has(kind) ? numberOf(attributes?.externalVoltage) : null,
    fuel: null,
  };
  return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== null));
}

const numberOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/**
 * Joins the figures of two reports of one alert, in either order: the highest speed and temperature, the lowest
 * level.
 */
export function joinFigures(a: AlertFigures | null, b: AlertFigures): AlertFigures {
  if (a === null) return b;
  return { ...a, ...b, ...extreme('speed', Math.max), ...extreme('temperature', Math.max), ...lowest() };

  function extreme(name: keyof AlertFigures, pick: (...values: number[]) => number): AlertFigures {
    const [one, other] = [a?.[name], b[name]];
    return one === undefined || other === undefined ? {} : { [name]: pick(one, other) };
  }
  function lowest(): AlertFigures {
    return { ...extreme('battery', Math.min), ...extreme('supply', Math.min) };
  }
}
