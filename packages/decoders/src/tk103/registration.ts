import { type CommandEncoder, wholeParameter } from '../commands.ts';
import type { Registration, TrackerSide } from '../registration.ts';
import { ALARMS } from './alarms.ts';
import { tk103Udp as datagram, tk103 as stream, WORDS } from './decode.ts';
import { encodeHandshake, encodeReport } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';

/** §3.1: a word and its parameters. */
const COMMANDS: readonly CommandEncoder[] = [
  { command: 'trackOnDemand', parameters: [], maker: 'AP00', text: () => 'AP00' },
  { command: 'getParams', parameters: [], maker: 'AP03', text: () => 'AP03' },
  { command: 'getStatus', parameters: [], maker: 'AP04', text: () => 'AP04' },
  { command: 'engineStop', parameters: [], maker: 'AV01', text: () => 'AV010' },
  { command: 'engineResume', parameters: [], maker: 'AV01', text: () => 'AV011' },
  { command: 'deviceReboot', parameters: [], maker: 'AT00', text: () => 'AT00' },
  {
    command: 'setGprsInterval',
    parameters: ['seconds'],
    maker: 'AR00',
    text: parameters => {
      const seconds = wholeParameter(parameters, 'seconds', 5, 0xffff);
      return seconds === null ? null : `AR00${seconds.toString(16).toUpperCase().padStart(4, '0')}0000`;
    },
  },
  {
    command: 'setSpeedLimit',
    parameters: ['speed'],
    maker: 'AP12',
    text: parameters => {
      const speed = wholeParameter(parameters, 'speed', 0, 255);
      return speed === null ? null : `AP12H${String(speed).padStart(3, '0')}L000`;
    },
  },
];

const side: TrackerSide = {
  greeting: encodeHandshake,
  reports: (imei, positions) => positions.map(position => encodeReport(imei, position)),
  heartbeat: encodeHandshake,
  hear,
};

export const tk103 = {
  stream,
  datagram,
  tracker: side,
  datagramTracker: { ...side, greeting: () => null },
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['TK103, TK103B, KX402'],
      note: 'They identify themselves by twelve digits, usually a zero and their phone number.',
    },
  ],
  tables: [
    {
      title: 'TK103: words',
      text: 'Other words beginning with BP, BS, BT, BU, BV, BX are answers to commands; ZC11–ZC17 and BQ81 are alarms with the word in `alarmCode`; a position is read from any other if it has one, otherwise it is kept as `text`.',
      columns: ['word', 'what', 'answer'],
      rows: Object.entries(WORDS).map(([word, { what, answer }]) => [
        word,
        what,
        answer ? answer('0').slice(0, 4) : '',
      ]),
    },
    {
      title: 'TK103: alarms (BO01)',
      text: 'Any other is the event `alarm` with its sign in `alarmCode`.',
      columns: ['code', 'event', 'what'],
      rows: ALARMS.map(([code, event, what]) => [code, `\`${event}\``, what]),
    },
  ],
} satisfies Registration;
