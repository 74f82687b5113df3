import type { ElementRow } from './element-row.ts';

/**
 * Elements of farm machines, spreaders, gas vehicles, gear levers and Bluetooth sensors that the user defines; from the
 * tables "CAN adapters elements", "CAN I/O extended elements" and "BLE sensors" of Teltonika's wiki.
 */
const KPA = 1000;

const customOf = (tag: number, ids: readonly number[]): ElementRow[] =>
  ids.map((id, i) => [id, `ble${tag}Custom${i + 2}`, 8, 'hex']);

export const MACHINE_ELEMENTS: readonly ElementRow[] = [
  [125, 'harvestTime', 4, 's', 60],
  [126, 'harvestArea', 4, 'm²'],
  [127, 'harvestRate', 4, 'm²/h'],
  [128, 'grainMass', 4, 'kg'],
  [129, 'grainMoisture', 2, '%'],
  [130, 'drumRpm', 2, '1/min'],
  [131, 'drumGap', 1, 'mm'],
  [166, 'drillRpm', 2, '1/min'],
  [167, 'saltDensity', 2, 'g/m²'],
  [185, 'spreaderHours', 4, 's', 3600],
  [186, 'spreaderDistance', 4, 'm', 1000],
  [234, 'cngLevel', 1, '%'],
  [855, 'lngUsed', 4, 'kg'],
  [856, 'lngUsedCounted', 4, 'kg'],
  [857, 'lngLevel', 2, '%'],
  [858, 'lngMass', 2, 'kg'],
  [521, 'utilityFlagsP4', 8, 'hex'],
  [522, 'cisternFlagsP4', 8, 'hex'],
  [660, 'leverPark', 1, 'flag'],
  [661, 'leverReverse', 1, 'flag'],
  [659, 'leverNeutral', 1, 'flag'],
  [927, 'leverDrive', 1, 'flag'],
  [1158, 'oilPressure', 2, 'Pa', KPA],
  [1159, 'oilLevelPercent', 1, '%'],
  [1137, 'steeringAngle', 2, '°', 1 / 10, 'signed'],
  // FM36
  [99, 'continuousOdometer', 4, 'm'],
  [237, 'networkType', 1, ''],
  [264, 'barcode', 'x', 'text'],
  [282, 'canFaultCodes', 'x', 'text'],
  [409, 'driverStatus', 1, ''],
  [10_518, 'driver1Name', 'x', 'text'],
  ...[331, 332, 333, 334].map((id, i): ElementRow => [id, `ble${i + 1}Custom1`, 'x', 'hex']),
  ...customOf(1, [463, 464, 465, 466]),
  ...customOf(2, [467, 468, 469, 470]),
  ...customOf(3, [471, 472, 473, 474]),
  ...customOf(4, [475, 476, 477, 478]),
];
