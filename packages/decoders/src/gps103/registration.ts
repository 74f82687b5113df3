import { type CommandEncoder, wholeParameter } from '../commands.ts';
import type { Registration, TrackerSide } from '../registration.ts';
import { gps103Udp as datagram, gps103 as stream } from './decode.ts';
import { encodeHeartbeat, encodeLogin, encodeReport } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';
import { CONFIRMATIONS, EVENTS } from './keywords.ts';

/** "Server sending data format": a letter and its parameters. */
const COMMANDS: readonly CommandEncoder[] = [
  { command: 'trackOnDemand', parameters: [], maker: 'B', text: () => 'B' },
  { command: 'sirenOff', parameters: [], maker: 'E', text: () => 'E' },
  { command: 'engineStop', parameters: [], maker: 'J', text: () => 'J' },
  { command: 'engineResume', parameters: [], maker: 'K', text: () => 'K' },
  { command: 'alarmArm', parameters: [], maker: 'L', text: () => 'L' },
  { command: 'alarmDisarm', parameters: [], maker: 'M', text: () => 'M' },
  {
    command: 'setGprsInterval',
    parameters: ['seconds'],
    maker: 'C',
    text: parameters => {
      const seconds = wholeParameter(parameters, 'seconds', 10, 86_400);
      return seconds === null ? null : `C,${interval(seconds)}`;
    },
  },
  {
    command: 'setSpeedLimit',
    parameters: ['speed'],
    maker: 'H',
    text: parameters => {
      const speed = wholeParameter(parameters, 'speed', 1, 255);
      return speed === null ? null : `H,${String(speed).padStart(3, '0')}`;
    },
  },
];

/** Two digits and a unit; longer intervals are rounded up to the next larger unit. */
function interval(seconds: number): string {
  if (seconds < 100) return `${seconds}s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100
    ? `${String(minutes).padStart(2, '0')}m`
    : `${String(Math.round(minutes / 60)).padStart(2, '0')}h`;
}

const side: TrackerSide = {
  greeting: encodeLogin,
  reports: (imei, positions) => positions.map(position => encodeReport(imei, position)),
  heartbeat: encodeHeartbeat,
  hear,
};

export const gps103 = {
  terminator: ';',
  stream,
  datagram,
  tracker: side,
  datagramTracker: { ...side, greeting: () => null },
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['Coban GPS103, GPS303, GPS403'],
      note: 'Ignition, door, fuel and temperature come only after the SMS `protocol123456 18 out`.',
    },
  ],
  tables: [
    {
      title: 'GPS103: keywords',
      text: '`tracker` is a scheduled report; any other keyword is kept as `keyword`.',
      columns: ['keyword', 'event or answer'],
      rows: [
        ...Object.entries(EVENTS).map(([keyword, event]) => [`\`${keyword}\``, `\`${event}\``]),
        ...Object.entries(CONFIRMATIONS).map(([keyword, text]) => [`\`${keyword}\``, `answer: ${text}`]),
      ],
    },
  ],
} satisfies Registration;
