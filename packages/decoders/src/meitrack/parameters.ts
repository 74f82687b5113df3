/**
 * CCE parameters as data: id, name, scale to its unit, `signed`. From the GPRS protocols of T366, T633L, P88L and
 * TA255; ids marked `recorded` are known only from recordings. Position, time and values with their own column are in
 * `cce.ts`.
 */
export interface ParameterRow {
  readonly id: number;
  readonly name: string;
  readonly unit: string;
  readonly scale: number;
  readonly recorded?: true;
}

export const PARAMETERS: readonly ParameterRow[] = [
  { id: 0x16, name: 'analogInput1', unit: 'V', scale: 1 / 100 },
  { id: 0x17, name: 'analogInput2', unit: 'V', scale: 1 / 100 },
  { id: 0x18, name: 'analogInput3', unit: 'V', scale: 1 / 100 },
  { id: 0x19, name: 'batteryVoltage', unit: 'V', scale: 1 / 100 },
  { id: 0x1a, name: 'externalVoltage', unit: 'V', scale: 1 / 100 },
  { id: 0x1b, name: 'fence', unit: '', scale: 1 },
  { id: 0x1c, name: 'systemFlags', unit: '', scale: 1 },
  { id: 0x47, name: 'lockState', unit: '', scale: 1, recorded: true },
  { id: 0x91, name: 'obdSpeed', unit: 'm/s', scale: 1 / 3.6 },
  { id: 0x92, name: 'engineSpeedOverGround', unit: 'm/s', scale: 1 / 3.6, recorded: true },
  { id: 0x9c, name: 'rpm', unit: '1/min', scale: 1, recorded: true },
  { id: 0x9d, name: 'obdFuelLevel', unit: '%', scale: 1, recorded: true },
  { id: 0xfe69, name: 'batteryLevel', unit: '%', scale: 1 },
  { id: 0xfef4, name: 'engineHours', unit: 's', scale: 60, recorded: true },
];

export const PARAMETER_BY_ID: ReadonlyMap<number, ParameterRow> = new Map(PARAMETERS.map(row => [row.id, row]));

/** Unknown parameters keep their number. */
export const nameOfUnknown = (id: number): string => `p${id.toString(16).toUpperCase().padStart(2, '0')}`;
