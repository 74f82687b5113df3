/**
 * Commands for trackers: one vocabulary for all protocols. A protocol's table lists those it supports and their texts;
 * the protocol's `encodeCommand` puts them into a frame.
 */
export const TRACKER_COMMANDS = [
  'trackOnDemand',
  'getStatus',
  'getVersion',
  'getGps',
  'getIo',
  'getGsm',
  'getParams',
  'getFuel',
  'getTemp',
  'getDtc',
  'getOdometer',
  'requestPhoto',
  'engineStop',
  'engineResume',
  'outputOn',
  'outputOff',
  'lockDoors',
  'unlockDoors',
  'hornLights',
  'alarmArm',
  'alarmDisarm',
  'sirenOff',
  'deviceReboot',
  'factoryReset',
  'setGprsInterval',
  'setParkedInterval',
  'setDistanceInterval',
  'setAuthPhone',
  'setOdometer',
  'setSpeedLimit',
  'setTimezone',
  'setSleepMode',
  'setApn',
  'setServer',
  'setGeofenceAlarm',
  'setHarshThreshold',
  'setHeartbeat',
  'message',
] as const;
export type TrackerCommand = (typeof TRACKER_COMMANDS)[number];

/** By name, in the vocabulary's units: seconds, meters, km/h for speed limits, E.164 for phone numbers. */
export type CommandParameters = Readonly<Record<string, string | number | boolean>>;

/** A command of the vocabulary in a protocol's format. */
export interface CommandEncoder {
  readonly command: TrackerCommand;
  /** The names of its parameters; one that ends in `?` is optional. */
  readonly parameters: readonly string[];
  /** The maker's name for the command. */
  readonly maker: string;
  /** The text for `encodeCommand`; null if a parameter is missing or out of the maker's range. */
  text(parameters: CommandParameters): string | null;
}

/** A whole number within a range, or null. */
export function wholeParameter(
  parameters: CommandParameters,
  name: string,
  least: number,
  most: number,
): number | null {
  const value = Number(parameters[name] ?? Number.NaN);
  return Number.isInteger(value) && value >= least && value <= most ? value : null;
}

/** Text without characters that would end a field; null otherwise, or if missing. */
export function textParameter(parameters: CommandParameters, name: string, longest: number): string | null {
  const value = parameters[name];
  if (value === undefined) return null;
  const text = String(value);
  return text.length > 0 && text.length <= longest && /^[\x20-\x7e]+$/.test(text) && !/[,;$#*|()]/.test(text)
    ? text
    : null;
}
