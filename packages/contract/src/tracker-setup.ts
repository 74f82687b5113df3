import type { TrackerProtocol } from './trackers.ts';

/**
 * How to point a tracker at this server, from its maker's documents: text messages to send to its SIM card, in order,
 * or settings in its maker's program. `{host}` and `{port}` stand for the server; `YOUR-APN`, `USER` and `PASSWORD` for
 * values that only the owner knows. See also `docs/protocols`.
 */
export interface TrackerSetup {
  readonly sms: readonly string[];
  readonly program: {
    readonly name: string;
    readonly settings: readonly (readonly [name: string, value: string])[];
  } | null;
  /** Whether the tracker reports under an ID other than its IMEI: always, often, or never. */
  readonly ownNumber: 'always' | 'often' | 'never';
}

const SETUPS = {
  teltonika: {
    sms: ['  setparam 2001:YOUR-APN;2004:{host};2005:{port};2006:0'],
    program: {
      name: 'Teltonika Configurator',
      settings: [
        ['GPRS › APN', 'YOUR-APN'],
        ['GPRS › Domain', '{host}'],
        ['GPRS › Port', '{port}'],
        ['GPRS › Protocol', 'TCP'],
        ['System › Data protocol', 'Codec 8 Extended'],
      ],
    },
    ownNumber: 'never',
  },
  gt06: { sms: ['APN,YOUR-APN#', 'SERVER,1,{host},{port},0#', 'GMT,E,0,0#'], program: null, ownNumber: 'never' },
  osmand: {
    sms: [],
    program: {
      name: 'Traccar Client, OsmAnd',
      settings: [
        ['Server URL', 'http://{host}:{port}'],
        ['Device identifier', 'IMEI'],
      ],
    },
    ownNumber: 'often',
  },
  mqtt: { sms: [], program: null, ownNumber: 'never' },
  gl200: {
    sms: [
      'AT+GTBSI=gv300,YOUR-APN,USER,PASSWORD,,,,FFFF$',
      'AT+GTSRI=gv300,3,,1,{host},{port},0.0.0.0,0,,5,1,,,,FFFF$',
    ],
    program: null,
    ownNumber: 'never',
  },
  meitrack: {
    sms: ['0000,A21,1,{host},{port},YOUR-APN,USER,PASSWORD', '0000,A12,6'],
    program: {
      name: 'Meitrack Manager',
      settings: [
        ['GPRS › IP', '{host}'],
        ['GPRS › Port', '{port}'],
        ['GPRS › APN', 'YOUR-APN'],
      ],
    },
    ownNumber: 'never',
  },
  suntech: {
    sms: [],
    program: {
      name: 'SyncTrak',
      settings: [
        ['Network › Server', '{host}'],
        ['Network › Port', '{port}'],
        ['Network › Protocol', 'TCP'],
      ],
    },
    ownNumber: 'always',
  },
  wialon: {
    sms: [],
    program: {
      name: 'Wialon IPS',
      settings: [
        ['Server', '{host}'],
        ['Port', '{port}'],
      ],
    },
    ownNumber: 'often',
  },
  jt808: {
    sms: [],
    program: {
      name: 'JT/T 808',
      settings: [
        ['0x0010 APN', 'YOUR-APN'],
        ['0x0013 Server', '{host}'],
        ['0x0018 TCP port', '{port}'],
      ],
    },
    ownNumber: 'often',
  },
  h02: { sms: ['8030000 YOUR-APN', '8040000 {host} {port}'], program: null, ownNumber: 'always' },
  gps103: {
    sms: ['apn123456 YOUR-APN', 'adminip123456 {host} {port}', 'gprs123456', 'protocol123456 18 out'],
    program: null,
    ownNumber: 'never',
  },
  tk103: {
    sms: ['apn123456 YOUR-APN', 'adminip123456 {host} {port}', 'gprs123456'],
    program: null,
    ownNumber: 'always',
  },
  xexun: {
    sms: ['apn123456 YOUR-APN', 'adminip123456 {host} {port}', 't030s***n123456'],
    program: null,
    ownNumber: 'never',
  },
  watch: {
    sms: ['pw,123456,apn,YOUR-APN,USER,PASSWORD,MCCMNC#', 'pw,123456,ip,{host},{port}#', 'pw,123456,ts#'],
    program: null,
    ownNumber: 'always',
  },
  ruptela: {
    sms: [' setapn 1,YOUR-APN', ' setconnection 1,{host},{port},TCP'],
    program: {
      name: 'Ruptela Configurator',
      settings: [
        ['APN', 'YOUR-APN'],
        ['Server 1 › Address', '{host}'],
        ['Server 1 › Port', '{port}'],
        ['Server 1 › Protocol', 'TCP'],
      ],
    },
    ownNumber: 'never',
  },
  eelink: {
    sms: [],
    program: {
      name: 'Eelink',
      settings: [
        ['APN', 'YOUR-APN'],
        ['Server', '{host}'],
        ['Port', '{port}'],
        ['Protocol', 'TCP'],
      ],
    },
    ownNumber: 'never',
  },
  atrack: {
    sms: [],
    program: {
      name: 'ATrack',
      settings: [
        ['APN', 'YOUR-APN'],
        ['Server', '{host}'],
        ['Port', '{port}'],
        ['Protocol', 'TCP'],
      ],
    },
    ownNumber: 'never',
  },
  totem: {
    sms: ['*000000,015,{host},{port}#', '*000000,018,60,0#', '*000000,016,1#'],
    program: null,
    ownNumber: 'never',
  },
  calamp: {
    sms: ['!RP,2306,0,YOUR-APN', '!RP,2319,0,{host}', '!RP,769,0,{port}'],
    program: {
      name: 'LMU Manager',
      settings: [
        ['Inbound address', '{host}'],
        ['Inbound port', '{port}'],
      ],
    },
    ownNumber: 'often',
  },
  galileosky: {
    sms: [],
    program: {
      name: 'Galileosky Configurator',
      settings: [
        ['Data transmission › APN', 'YOUR-APN'],
        ['Data transmission › Server', '{host}'],
        ['Data transmission › Port', '{port}'],
        ['Protocol › Head packet', 'IMEI'],
      ],
    },
    ownNumber: 'never',
  },
} as const satisfies Readonly<Record<TrackerProtocol, TrackerSetup>>;

/** The same, with the server's host name and port filled in. */
export function trackerSetup(protocol: TrackerProtocol, host: string, port: number): TrackerSetup {
  const { sms, program, ownNumber }: TrackerSetup = SETUPS[protocol];
  const filled = (text: string): string => text.replaceAll('{host}', host).replaceAll('{port}', String(port));
  return {
    sms: sms.map(filled),
    program: program && {
      ...program,
      settings: program.settings.map(([name, value]) => [name, filled(value)] as const),
    },
    ownNumber,
  };
}
