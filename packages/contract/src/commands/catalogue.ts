import { z } from 'zod';
import { lineSchema, numeric, phoneSchema } from '../fields.ts';
import { issue } from '../issue.ts';

/**
 * Every command of the product: its name, parameters, permission, and what proves that it worked. The tracker's
 * protocol defines which of them it supports, and in which words.
 */

export const COMMAND_CATEGORIES = ['read', 'control', 'settings'] as const;
/** `read` only asks the tracker, `control` acts on the vehicle, `settings` changes how the tracker works. */
export type CommandCategory = (typeof COMMAND_CATEGORIES)[number];

/**
 * When the command is sent. `immediate`: now, if the safety interlock passes. `nextStop`: as soon as it passes.
 * `starterOnly`: the engine keeps running but does not start again, which only some outputs can do.
 */
export const COMMAND_MODES = ['nextStop', 'starterOnly', 'immediate'] as const;
export type CommandMode = (typeof COMMAND_MODES)[number];

/** What reports show once the command has worked; null if no report can show it. */
export type CommandEffect = 'position' | 'ignitionStaysOff' | 'ignitionAllowed' | 'reportsAtInterval' | 'odometer';

export interface CommandKind {
  readonly category: CommandCategory;
  /** Names of `COMMAND_PARAMETERS`; one that ends in `?` is optional. */
  readonly parameters: readonly (CommandParameter | `${CommandParameter}?`)[];
  /** The vehicle must be standing still, with a fresh fix, before the command is sent. */
  readonly interlock: boolean;
  /** In the order offered, safest first. Empty: the command has no modes. */
  readonly modes: readonly CommandMode[];
  /** The modes that a second person must confirm; `always` for a command without modes. */
  readonly secondPerson: readonly CommandMode[] | 'always';
  readonly effect: CommandEffect | null;
  /** The same command is not sent to the same vehicle again within this time, in seconds. */
  readonly atMostEveryS: number;
}

const whole = (least: number, most: number, sentence: string) =>
  numeric(z.int(sentence).min(least, sentence).max(most, sentence));

const degrees = (most: number, sentence: string) =>
  numeric(z.number(sentence).min(-most, sentence).max(most, sentence));

/** Command parameters, by the names protocols use; units are those of `TRACKER_COMMANDS`. */
export const COMMAND_PARAMETERS = {
  /** Seconds between two reports. */
  seconds: whole(10, 86_400, issue('duration-between', { minS: 10, maxS: 86_400 })),
  minutes: whole(-780, 65_535, issue('whole-minutes')),
  metres: whole(0, 4_294_967_295, issue('whole-meters')),
  /** km/h. */
  speed: whole(0, 255, issue('top-speed')),
  number: whole(0, 359, issue('whole-up-to', { max: 359 })),
  output: whole(1, 8, issue('output', { min: 1, max: 8 })),
  camera: whole(1, 8, issue('camera', { min: 1, max: 8 })),
  radius: whole(20, 200_000, issue('radius')),
  lat: degrees(90, issue('latitude')),
  lon: degrees(180, issue('longitude')),
  phone: phoneSchema,
  phone1: phoneSchema,
  phone2: phoneSchema,
  phone3: phoneSchema,
  text: lineSchema(160).min(1, issue('driver-message')),
  host: lineSchema(64).min(1, issue('server-address')),
  port: whole(1, 65_535, issue('port')),
  apn: lineSchema(32).min(1, issue('apn')),
  user: lineSchema(32),
  /** Password of the access point, or of the tracker itself. */
  password: lineSchema(32),
  model: lineSchema(20),
  /** Version of the protocol, for trackers that use an older one. */
  version: lineSchema(8),
} as const;
export type CommandParameter = keyof typeof COMMAND_PARAMETERS;

const read = (parameters: CommandKind['parameters'] = [], effect: CommandEffect | null = null): CommandKind => ({
  category: 'read',
  parameters,
  interlock: false,
  modes: [],
  secondPerson: [],
  effect,
  atMostEveryS: 10,
});
const settings = (parameters: CommandKind['parameters'] = [], effect: CommandEffect | null = null): CommandKind => ({
  category: 'settings',
  parameters,
  interlock: false,
  modes: [],
  secondPerson: [],
  effect,
  atMostEveryS: 0,
});
/** An output can be the engine relay, so outputs follow the rules for stopping the engine. */
const output: Partial<CommandKind> = {
  parameters: ['output', 'speed?'],
  interlock: true,
  modes: ['nextStop', 'immediate'],
  secondPerson: ['immediate'],
};
const control = (rest: Partial<CommandKind> = {}): CommandKind => ({
  category: 'control',
  parameters: [],
  interlock: false,
  modes: [],
  secondPerson: [],
  effect: null,
  atMostEveryS: 0,
  ...rest,
});

export const COMMANDS = {
  trackOnDemand: read([], 'position'),
  getStatus: read(),
  getVersion: read(),
  getGps: read(),
  getIo: read(),
  getGsm: read(),
  getParams: read(),
  getFuel: read(),
  getTemp: read(),
  getDtc: read(),
  getOdometer: read(),
  requestPhoto: read(['camera']),

  engineStop: control({
    interlock: true,
    modes: ['nextStop', 'immediate'],
    secondPerson: ['immediate'],
    effect: 'ignitionStaysOff',
  }),
  engineResume: control({ effect: 'ignitionAllowed' }),
  outputOn: control(output),
  outputOff: control(output),
  lockDoors: control(),
  unlockDoors: control({ interlock: true, modes: ['nextStop', 'immediate'] }),
  hornLights: control(),
  alarmArm: control(),
  alarmDisarm: control(),
  sirenOff: control(),
  deviceReboot: control(),
  factoryReset: control({ secondPerson: 'always' }),

  setGprsInterval: settings(['seconds'], 'reportsAtInterval'),
  setParkedInterval: settings(['seconds']),
  setDistanceInterval: settings(['metres']),
  setAuthPhone: settings(['phone1', 'phone2?', 'phone3?']),
  setOdometer: settings(['metres'], 'odometer'),
  setSpeedLimit: settings(['speed']),
  setTimezone: settings(['minutes']),
  setSleepMode: settings(['number']),
  setApn: settings(['apn', 'user?', 'password?']),
  setServer: settings(['host', 'port', 'apn?', 'user?', 'password?']),
  setGeofenceAlarm: settings(['number', 'lat', 'lon', 'radius']),
  setHarshThreshold: settings(['number']),
  setHeartbeat: settings(['minutes']),
  message: settings(['text', 'phone?']),
} as const satisfies Record<string, CommandKind>;

export type CommandAction = keyof typeof COMMANDS;
export const COMMAND_ACTIONS = Object.keys(COMMANDS) as [CommandAction, ...CommandAction[]];
export const commandKind = (action: CommandAction): CommandKind => COMMANDS[action];

/** Whether a second person must confirm it, if the account uses the two-person rule. */
export function needsSecondPerson(action: CommandAction, mode: CommandMode | null): boolean {
  const { secondPerson } = commandKind(action);
  return secondPerson === 'always' || (mode !== null && secondPerson.includes(mode));
}

const LABELS: Readonly<Record<CommandAction, string>> = {
  trackOnDemand: 'Report position now',
  getStatus: 'Read status',
  getVersion: 'Read firmware version',
  getGps: 'Read GPS',
  getIo: 'Read inputs and outputs',
  getGsm: 'Read network',
  getParams: 'Read settings',
  getFuel: 'Read fuel',
  getTemp: 'Read temperature',
  getDtc: 'Read trouble codes',
  getOdometer: 'Read odometer',
  requestPhoto: 'Take a photo',
  engineStop: 'Stop engine',
  engineResume: 'Resume engine',
  outputOn: 'Output on',
  outputOff: 'Output off',
  lockDoors: 'Lock doors',
  unlockDoors: 'Unlock doors',
  hornLights: 'Horn and lights',
  alarmArm: 'Arm alarm',
  alarmDisarm: 'Disarm alarm',
  sirenOff: 'Siren off',
  deviceReboot: 'Restart device',
  factoryReset: 'Factory reset',
  setGprsInterval: 'Reporting interval',
  setParkedInterval: 'Interval when parked',
  setDistanceInterval: 'Distance between reports',
  setAuthPhone: 'Authorized phones',
  setOdometer: 'Odometer',
  setSpeedLimit: 'Speed limit',
  setTimezone: 'Time zone',
  setSleepMode: 'Sleep mode',
  setApn: 'Access point',
  setServer: 'Server',
  setGeofenceAlarm: 'Geofence on the device',
  setHarshThreshold: 'Harsh driving threshold',
  setHeartbeat: 'Heartbeat',
  message: 'Message to driver',
};
/** The command's name in English [R3.08]. */
export const commandLabel = (action: CommandAction): string => LABELS[action];

/** How long a command waits for its tracker, in seconds; before that, it waits as long for its second person. */
export const COMMAND_LIFETIME_S: Readonly<Record<CommandCategory, number>> = {
  control: 600,
  read: 86_400,
  settings: 86_400,
};

/** How long a grant of `confirm_control_pass` is valid, in seconds: for one user, vehicle and action, once. */
export const GRANT_LIFETIME_S = 60;
/** Wrong control passwords by one user before controls are locked, and for how long, in minutes. */
export const CONTROL_TRIES = 5;
export const CONTROL_LOCK_MINUTES = 15;
