import { type CommandEncoder, wholeParameter } from '../commands.ts';
import type { Registration } from '../registration.ts';
import { ALARM_CODES } from './alarm-codes.ts';
import { gt06 as stream } from './decode.ts';
import { encodeAlarm, encodeHeartbeat, encodeLocation, encodeLogin } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';

/** "Online command" contains the text of the SMS commands, Concox GT06N and JM-VL03 user manuals. */
const COMMANDS: readonly CommandEncoder[] = [
  { command: 'trackOnDemand', parameters: [], maker: 'WHERE', text: () => 'WHERE#' },
  { command: 'getStatus', parameters: [], maker: 'STATUS', text: () => 'STATUS#' },
  { command: 'getVersion', parameters: [], maker: 'VERSION', text: () => 'VERSION#' },
  { command: 'getParams', parameters: [], maker: 'PARAM', text: () => 'PARAM#' },
  { command: 'engineStop', parameters: [], maker: 'RELAY', text: () => 'RELAY,1#' },
  { command: 'engineResume', parameters: [], maker: 'RELAY', text: () => 'RELAY,0#' },
  { command: 'deviceReboot', parameters: [], maker: 'RESET', text: () => 'RESET#' },
  {
    command: 'setGprsInterval',
    parameters: ['seconds'],
    maker: 'TIMER',
    text: parameters => {
      const seconds = wholeParameter(parameters, 'seconds', 5, 18_000);
      return seconds === null ? null : `TIMER,${seconds},${seconds}#`;
    },
  },
];

const CALM = { ignition: false, charging: true, batteryLevel: 100, gsm: 20 } as const;
/** 1–65535, then again from 1. */
const serialOf = (serial: number): number => ((serial - 1) % 0xffff) + 1;

export const gt06 = {
  stream,
  tracker: {
    greeting: imei => encodeLogin(imei, 1),
    // Only an alarm packet contains the event; it has no odometer.
    reports: (_imei, positions, serial) =>
      positions.map((position, i) =>
        position.event
          ? encodeAlarm(position, { ...CALM, ignition: position.ignition ?? false }, serialOf(serial + i))
          : encodeLocation(position, serialOf(serial + i)),
      ),
    heartbeat: (_imei, serial) => encodeHeartbeat(CALM, serialOf(serial)),
    hear,
  },
  explain,
  commands: COMMANDS,
  models: [],
  tables: [
    {
      title: 'GT06: alarm codes',
      text: 'Any other code is the event `alarm`, with its number in the attribute `alarmCode`.',
      columns: ['code', 'event'],
      rows: [...ALARM_CODES].map(([code, event]) => [
        `0x${code.toString(16).toUpperCase().padStart(2, '0')}`,
        `\`${event}\``,
      ]),
    },
  ],
} satisfies Registration;
