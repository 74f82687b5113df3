import type { CommandEncoder } from '../commands.ts';
import type { Registration, TrackerSide } from '../registration.ts';
import { COMMANDS_OF_TRACKER, ruptelaUdp as datagram, ruptela as stream } from './decode.ts';
import { ELEMENTS } from './elements.ts';
import { encodeHeartbeat, encodeIdentification, encodeRecords } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';

/** "SMS commands", sent over GPRS (command 108); the leading space stands for an unset password. */
const COMMANDS: readonly CommandEncoder[] = [
  { command: 'trackOnDemand', parameters: [], maker: 'coords', text: () => ' coords' },
  { command: 'getVersion', parameters: [], maker: 'version', text: () => ' version' },
  { command: 'getGsm', parameters: [], maker: 'gsminfo', text: () => ' gsminfo' },
  { command: 'getIo', parameters: [], maker: 'getio', text: () => ' getio' },
  { command: 'getGps', parameters: [], maker: 'gpsinfo', text: () => ' gpsinfo' },
  { command: 'deviceReboot', parameters: [], maker: 'reset', text: () => ' reset' },
  { command: 'engineStop', parameters: [], maker: 'setio', text: () => ' setio 1,1' },
  { command: 'engineResume', parameters: [], maker: 'setio', text: () => ' setio 0,0' },
];

const side: TrackerSide = {
  greeting: encodeIdentification,
  reports: (imei, positions) => [encodeRecords(imei, positions, 'extended')],
  heartbeat: encodeHeartbeat,
  hear,
};

export const ruptela = {
  stream,
  datagram,
  tracker: side,
  datagramTracker: { ...side, greeting: () => null },
  explain,
  commands: COMMANDS,
  models: [
    { models: ['FM-Eco3, FM-Eco4, FM-Pro3, FM-Tco3'], note: 'Records (command 1); the fourth input is the ignition.' },
    {
      models: ['FM-Eco4+, FM-Pro4, HCV5, LCV5, Plug5'],
      note: 'Extended records (command 68); element 409 is the ignition.',
    },
  ],
  tables: [
    {
      title: 'Ruptela: commands of the tracker',
      text: '',
      columns: ['number', 'what', 'answer'],
      rows: [...COMMANDS_OF_TRACKER].map(([id, { what, answer }]) => [String(id), what, String(answer ?? '')]),
    },
    {
      title: 'Ruptela: elements',
      text: 'An element not listed here, or of another size, becomes `io` with its number.',
      columns: ['id', 'bytes', 'attribute', 'unit'],
      rows: ELEMENTS.map(([id, bytes, name, unit]) => [String(id), String(bytes), `\`${name}\``, unit]),
    },
  ],
} satisfies Registration;
