import type { Registration, TrackerSide } from '../registration.ts';
import { ALERT_IDS, EMERGENCY_IDS } from './alert-ids.ts';
import { COMMANDS } from './commands.ts';
import { suntechTcp, suntechUdp } from './decode.ts';
import { encodeKeepAlive, encodeUniversal } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';

const tracker: TrackerSide = {
  greeting: () => null,
  reports: (imei, positions, serial) => positions.map((position, i) => encodeUniversal(imei, position, serial + i)),
  heartbeat: imei => encodeKeepAlive(imei),
  hear,
};

export const suntech = {
  terminator: '\r',
  stream: suntechTcp,
  datagram: suntechUdp,
  tracker,
  datagramTracker: tracker,
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['ST4300', 'ST4310', 'ST4330', 'ST4340', 'ST8300', 'ST8310'],
      note: 'Universal protocol: text or zip; the report map says which fields are sent.',
    },
    {
      models: ['ST300', 'ST310U', 'ST340', 'ST350', 'ST390'],
      note: 'Older text or zip.',
    },
    { models: ['ST600', 'ST650'], note: 'Older text with the tower, an analogue input, driver and probes.' },
    { models: ['ST410', 'ST910', 'ST940'], note: 'Battery trackers: no ignition; ST410 reports its cell towers.' },
    { models: ['SA200', 'ST200', 'ST215'], note: 'First models: no model number in a report.' },
  ],
  tables: [
    {
      title: 'Suntech: alerts',
      text: 'Any other alert is the event `alarm`, with its number in the attribute `alarmCode`.',
      columns: ['ALT', 'event'],
      rows: [...ALERT_IDS].map(([id, event]) => [`${id}`, event === null ? 'none' : `\`${event}\``]),
    },
    {
      title: 'Suntech: emergencies',
      text: '',
      columns: ['EMG', 'event'],
      rows: [...EMERGENCY_IDS].map(([id, event]) => [`${id}`, `\`${event}\``]),
    },
  ],
} satisfies Registration;
