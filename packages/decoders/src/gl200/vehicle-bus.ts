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
  let at = maskAt + 1;
  for (const [bit, value] of (kind === 'GTCAN' ? CAN : OBD).entries()) {
    if ((mask & (1 << bit)) === 0) continue;
    const text = at < to ? (fields[at] ?? '') : '';
    at++;
    if (value === null || text === '') continue;
    const [name, scale] = value;
    if (scale === 0) {
      if (name !== 'vin' || isVin(text)) attributes[name] = text;
    } else {
      const number = readNumber(text);
      if (number !== null) attributes[name] = Math.round(number * scale * 1000) / 1000;
    }
  }
  return { ...columns(attributes), attributes };
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
