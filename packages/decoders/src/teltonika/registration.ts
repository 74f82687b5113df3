import { type CommandEncoder, wholeParameter } from '../commands.ts';
import type { Registration } from '../registration.ts';
import { teltonika as stream, teltonikaUdp } from './decode.ts';
import { elementDocument } from './element-document.ts';
import { encodeDatagram, encodeLogin, encodePacket } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';

/** "FMB SMS/GPRS Commands": the same text over Codec 12 as by SMS, without the password. */
const COMMANDS: readonly CommandEncoder[] = [
  { command: 'trackOnDemand', parameters: [], maker: 'getrecord', text: () => 'getrecord' },
  { command: 'getStatus', parameters: [], maker: 'getstatus', text: () => 'getstatus' },
  { command: 'getVersion', parameters: [], maker: 'getver', text: () => 'getver' },
  { command: 'getGps', parameters: [], maker: 'getgps', text: () => 'getgps' },
  { command: 'getIo', parameters: [], maker: 'getio', text: () => 'getio' },
  { command: 'getGsm', parameters: [], maker: 'getinfo', text: () => 'getinfo' },
  { command: 'getDtc', parameters: [], maker: 'faultcodes', text: () => 'faultcodes' },
  { command: 'deviceReboot', parameters: [], maker: 'cpureset', text: () => 'cpureset' },
  { command: 'engineStop', parameters: [], maker: 'setdigout', text: () => 'setdigout 1' },
  { command: 'engineResume', parameters: [], maker: 'setdigout', text: () => 'setdigout 0' },
  {
    command: 'setOdometer',
    parameters: ['metres'],
    maker: 'odoset',
    text: parameters => {
      const metres = wholeParameter(parameters, 'metres', 0, 4_294_967_000);
      return metres === null ? null : `odoset:${Math.round(metres / 1000)}`;
    },
  },
  {
    command: 'setGprsInterval',
    parameters: ['seconds'],
    maker: 'setparam 10050 and 10055',
    text: parameters => {
      const seconds = wholeParameter(parameters, 'seconds', 1, 2_592_000);
      return seconds === null ? null : `setparam 10050:${seconds};10055:${Math.min(seconds, 259_200)}`;
    },
  },
];

export const teltonika = {
  stream,
  datagram: teltonikaUdp,
  tracker: {
    greeting: encodeLogin,
    reports: (_imei, positions) => [encodePacket(positions)],
    heartbeat: () => Uint8Array.of(0xff),
    hear,
  },
  datagramTracker: {
    greeting: () => null,
    reports: (imei, positions, serial) => [
      encodeDatagram({ imei, packetId: serial & 0xffff, avlPacketId: serial & 0xff }, positions),
    ],
    heartbeat: () => null,
  },
  explain,
  commands: COMMANDS,
  models: [],
  tables: elementDocument,
} satisfies Registration;
