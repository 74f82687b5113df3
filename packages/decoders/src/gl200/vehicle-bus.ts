import { type Metres, metres, type Percent, percent } from '@milepost/units';
import { readHex, readNumber } from './text-fields.ts';

/** Vehicle bus values, one field for each bit of the report's mask. */
export interface BusValues {
  readonly ignition: boolean | null;
  readonly odometer: Metres | null;
  readonly fuel: Percent | null;
  readonly attributes: Record<string, string | number | boolean>;
}

const KMH = 1 / 3.6;
/** Without letters that look like digits; older vehicles have shorter VINs. */
const isVin = (text: string): boolean => /^[A-HJ-NPR-Z0-9]{11,17}$/i.test(text);
const HOUR = 3600;

/**
 * Name and scale by bit, "+RESP:GTCAN", <CAN Report Mask>; values with an empty name are read below, `null` is ignored.
 */
const CAN: readonly (readonly [name: string, scale: number] | null)[] = [
  ['vin', 0],
  ['ignitionKey', 1],
  ['distance', 0],
  ['fuelUsed', 1],
  ['rpm', 1],
  ['canSpeed', KMH],
  ['coolantTemperature', 1],
  null,
  ['fuelLevel', 0],
  ['range', 100],
  ['throttle', 1],
  ['engineHours', HOUR],
  ['drivingTime', HOUR],
  ['idleTime', HOUR],
  ['idleFuelUsed', 1],
  ['axleWeight', 1],
  null,
  ['indicators', 0],
  ['lights', 0],
  ['doors', 0],
];

/** "CAN Report Expansion Mask", which follows the other values together with its own. */
const EXPANSION: readonly (readonly [name: string, scale: number] | null)[] = [
  ['adBlueLevel', 1],
  ['axleWeight1', 1],
  ['axleWeight3', 1],
  ['axleWeight4', 1],
  ['tachoOverspeed', 1],
  ['tachoMotion', 1],
  ['tachoDirection', 1],
  ['busAnalogInput', 1],
  ['engineBrakingFactor', 1],
  ['pedalBrakingFactor', 1],
  ['kickDowns', 1],
  ['effectiveEngineTime', HOUR],
  ['cruiseTime', HOUR],
  ['kickDownTime', HOUR],
  ['brakeApplications', 1],
  ['driver1CardId', 0],
  ['driver2CardId', 0],
  ['driver1Name', 0],
  ['driver2Name', 0],
  ['registration', 0],
  null,
  ['rapidBrakings', 1],
  ['rapidAccelerations', 1],
];
const HAS_EXPANSION = 1 << 29;
const EXPANSION_MASK = /^00[0-9A-F]{6}$/i;

/** "+RESP:GTOBD", <Report Mask>. */
const OBD: readonly (readonly [name: string, scale: number] | null)[] = [
  ['vin', 0],
  null,
  ['obdVoltage', 1 / 1000],
  null,
  ['rpm', 1],
  ['obdSpeed', KMH],
  ['coolantTemperature', 1],
  ['fuelConsumption', 1],
  ['distanceSinceCleared', 1000],
  ['distanceWithFault', 1000],
  ['faultLamp', 1],
  ['faultCount', 1],
  ['faultCodes', 0],
  ['throttle', 1],
  ['engineLoad', 1],
  ['fuelLevel', 0],
];

export function readBus(kind: 'GTCAN' | 'GTOBD', fields: readonly string[], from: number, to: number): BusValues {
  const attributes: BusValues['attributes'] = {};
  const maskAt = fields.findIndex((text, i) => i >= from && i < to && /^[0-9A-F]{5,8}$/i.test(text));
  const mask = maskAt < 0 ? null : readHex(fields[maskAt]);
  if (mask === null) return { ignition: null, odometer: null, fuel: null, attributes };
  const values = kind === 'GTCAN' ? CAN : OBD;
  const behind = readMasked(values, mask, fields.slice(0, to), maskAt + 1, attributes);
  if (kind === 'GTCAN' && mask & HAS_EXPANSION) {
    const expansionAt = fields.findIndex((text, i) => i >= behind && i < to && EXPANSION_MASK.test(text));
    const more = expansionAt < 0 ? 0 : (readHex(fields[expansionAt]) ?? 0);
    readMasked(EXPANSION, more, fields.slice(0, to), expansionAt + 1, attributes);
  }
  return { ...columns(attributes), attributes };
}

/** A field for each bit that is set; returns the index after the last. */
function readMasked(
  values: typeof CAN,
  mask: number,
  fields: readonly string[],
  from: number,
  attributes: BusValues['attributes'],
): number {
  let at = from;
  for (const [bit, value] of values.entries()) {
    if ((mask & (1 << bit)) === 0) continue;
    const text = fields[at++] ?? '';
    if (value === null || text === '') continue;
    const [name, scale] = value;
    if (scale === 0) {
      if (name !== 'vin' || isVin(text)) attributes[name] = text;
    } else {
      const number = readNumber(text);
      if (number !== null) attributes[name] = Math.round(number * scale * 1000) / 1000;
    }
  }
  return at;
}

/** `H` is hectometers, `I` pulses; `P` is percent, `L` liters. */
function columns(attributes: BusValues['attributes']): Omit<BusValues, 'attributes'> {
  const distance = /^H(\d+)$/.exec(String(attributes.distance ?? ''));
  const level = /^([PL])?(\d+(?:\.\d+)?)$/.exec(String(attributes.fuelLevel ?? ''));
  const key = attributes.ignitionKey;
  delete attributes.distance;
  delete attributes.fuelLevel;
  if (level?.[1] === 'L') attributes.fuelVolume = Number(level[2]);
  return {
    ignition: typeof key === 'number' ? key > 0 : null,
    odometer: distance ? metres(Number(distance[1]) * 100) : null,
    fuel: level && level[1] !== 'L' ? percent(Number(level[2])) : null,
  };
}
