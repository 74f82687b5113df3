/**
 * What a tracker may be asked for: one vocabulary for all protocols. A protocol says in its table which of these it
 * has and in which words; `encodeCommand` of the protocol puts them into a frame.
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

/** By name; units are the vocabulary's: seconds, metres, km/h for speed limits, E.164 for telephones. */
export type CommandParameters = Readonly<Record<string, string | number | boolean>>;

/** A command of the vocabulary in a protocol's words. */
export interface CommandEncoder {
  readonly command: TrackerCommand;
  /** The names of the parameters it reads; one that ends in `?` may be missing. */
  readonly parameters: readonly string[];
  /** The maker's name for it. */
  readonly maker: string;
  /** The text that `encodeCommand` takes; null when a parameter is missing or out of the maker's range. */
  text(parameters: CommandParameters): string | null;
}

/** A whole number between two bounds, or null. */
export function wholeParameter(
  parameters: CommandParameters,
  name: string,
  least: number,
  most: number,
): number | null {
  const value = Number(parameters[name] ?? Number.NaN);
  return Number.isInteger(value) && value >= least && value <= most ? value : null;
}

/** Text that has none of the characters that would end a field, or null. Missing is null, too. */
export function textParameter(parameters: CommandParameters, name: string, longest: number): string | null {
  const value = parameters[name];
  if (value === undefined) return null;
  const text = String(value);
  return text.length > 0 && text.length <= longest && /^[\x20-\x7e]+$/.test(text) && !/[,;$#*|()]/.test(text)
    ? text
    : null;
}
