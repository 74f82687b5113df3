import type { Registration } from '../registration.ts';
import { calampUdp as datagram, TYPES } from './decode.ts';
import { encodeEventReport, encodeNull } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';

export const calamp = {
  datagram,
  datagramTracker: {
    greeting: () => null,
    reports: (imei, positions, serial) => positions.map((position, i) => encodeEventReport(imei, position, serial + i)),
    heartbeat: encodeNull,
    hear,
  },
  explain,
  commands: [
    { command: 'deviceReboot', parameters: [], maker: 'unit request 1', text: () => 'unit 1 0 0 0' },
    { command: 'trackOnDemand', parameters: [], maker: 'unit request 10', text: () => 'unit 10 0 0 0' },
  ],
  models: [
    {
      models: ['LMU-1100 … LMU-5530, TTU'],
      note: 'The unit’s PEG script defines events, inputs and accumulators; only input 0 is always the ignition.',
    },
  ],
  tables: [
    {
      title: 'CalAmp: message types',
      text: 'An acknowledgement (1) answers a command.',
      columns: ['type', 'what'],
      rows: [...TYPES].map(([type, { what }]) => [String(type), what]),
    },
  ],
} satisfies Registration;
