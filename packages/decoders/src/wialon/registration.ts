import { type CommandEncoder, textParameter } from '../commands.ts';
import type { Registration } from '../registration.ts';
import { wialonTcp, wialonUdp } from './decode.ts';
import { encodeBlackBox, encodeData, encodeHeartbeat, encodeLogin, messageText } from './encode.ts';
import { explain } from './explain.ts';
import { hearWith } from './hear.ts';

/** "Commands": what the server can send. `version?` is the tracker's; 1.1 if absent. */
const COMMANDS: readonly CommandEncoder[] = [
  {
    command: 'message',
    parameters: ['text', 'version?'],
    maker: '#M#',
    text: parameters => {
      const text = textParameter(parameters, 'text', 160);
      return text === null ? null : messageText(text, String(parameters.version ?? '1.1'));
    },
  },
  { command: 'requestPhoto', parameters: [], maker: '#QI#', text: () => '#QI#' },
];

export const wialon = {
  terminator: '\r\n',
  stream: wialonTcp,
  datagram: wialonUdp,
  tracker: {
    greeting: imei => encodeLogin(imei),
    reports: (_imei, positions) =>
      positions.length > 1 ? [encodeBlackBox(positions)] : positions.map(position => encodeData(position)),
    heartbeat: () => encodeHeartbeat(),
    hear: hearWith(() => ''),
  },
  datagramTracker: {
    greeting: () => null,
    reports: (imei, positions) => positions.map(position => encodeData(position, imei)),
    heartbeat: () => null,
    hear: hearWith(imei => `2.0;${imei}`),
  },
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['WiaTag', 'Gurtam Retranslator', 'GPSTag'],
      note: 'Used by programs and phones as well as trackers; the meaning of their parameters is up to them.',
    },
  ],
  tables: [],
} satisfies Registration;
