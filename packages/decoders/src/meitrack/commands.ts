import { type CommandEncoder, type CommandParameters, textParameter, wholeParameter } from '../commands.ts';

/** "Command Details" of the GPRS protocols; the IMEI is added by `encodeCommand`. */
const plain = (command: CommandEncoder['command'], words: string): CommandEncoder => ({
  command,
  parameters: [],
  maker: words,
  text: () => words,
});

function number(
  command: CommandEncoder['command'],
  parameter: string,
  [least, most]: readonly [number, number],
  maker: string,
  words: (value: number) => string,
): CommandEncoder {
  return {
    command,
    parameters: [parameter],
    maker,
    text: parameters => {
      const value = wholeParameter(parameters, parameter, least, most);
      return value === null ? null : words(value);
    },
  };
}

/**
 * C01: the speed below which it is executed (km/h, 0 at any speed), then each of five outputs: 0 off, 1 on, 2
 * unchanged.
 */
const outputs = (state: 0 | 1, speed: number, output: number): string =>
  `C01,${speed},${[1, 2, 3, 4, 5].map(each => (each === output ? state : 2)).join('')}`;
/** In km/h: the engine is cut only if the tracker itself measures less than this speed. */
const CRAWL_KMH = 10;

const output = (command: CommandEncoder['command'], state: 0 | 1): CommandEncoder => ({
  command,
  parameters: ['output', 'speed?'],
  maker: 'C01',
  text: parameters => {
    const which = wholeParameter(parameters, 'output', 1, 5);
    const below = parameters.speed === undefined ? 0 : wholeParameter(parameters, 'speed', 0, 255);
    return which === null || below === null ? null : outputs(state, below, which);
  },
});

const phone = (parameters: CommandParameters, name: string): string | null => {
  const digits = String(parameters[name] ?? '');
  return /^\+?\d{5,16}$/.test(digits) ? digits : null;
};

export const COMMANDS: readonly CommandEncoder[] = [
  plain('trackOnDemand', 'A10'),
  number('setHeartbeat', 'minutes', [0, 65_535], 'A11', minutes => `A11,${minutes}`),
  // In steps of ten seconds.
  number('setGprsInterval', 'seconds', [10, 655_350], 'A12', seconds => `A12,${Math.round(seconds / 10)}`),
  number('setDistanceInterval', 'metres', [0, 65_535], 'A14', metres => `A14,${metres}`),
  number('setParkedInterval', 'seconds', [10, 655_350], 'A15', seconds => `A15,${Math.round(seconds / 10)}`),
  number('setHarshThreshold', 'number', [0, 359], 'A13 (cornering, degrees)', angle => `A13,${angle}`),
  {
    command: 'setServer',
    parameters: ['host', 'port', 'apn', 'user?', 'password?'],
    maker: 'A21',
    text: parameters => {
      const host = textParameter(parameters, 'host', 32);
      const port = wholeParameter(parameters, 'port', 1, 65_535);
      const apn = textParameter(parameters, 'apn', 32);
      const [user, password] = [textParameter(parameters, 'user', 32), textParameter(parameters, 'password', 32)];
      return host && port && apn ? `A21,1,${host},${port},${apn},${user ?? ''},${password ?? ''}` : null;
    },
  },
  {
    command: 'setAuthPhone',
    parameters: ['phone1', 'phone2?', 'phone3?'],
    maker: 'A71',
    text: parameters => {
      const first = phone(parameters, 'phone1');
      const others = ['phone2', 'phone3'].map(name => phone(parameters, name) ?? '');
      return first === null ? null : ['A71', first, ...others].join();
    },
  },
  plain('engineStop', outputs(1, CRAWL_KMH, 1)),
  plain('engineResume', outputs(0, 0, 1)),
  output('outputOn', 1),
  output('outputOff', 0),
  number('setSpeedLimit', 'speed', [0, 255], 'B07', speed => `B07,${speed}`),
  number('setTimezone', 'minutes', [0, 780], 'B36', minutes => `B36,${minutes}`),
  number('setSleepMode', 'number', [0, 2], 'A73', level => `A73,${level}`),
  {
    command: 'setGeofenceAlarm',
    parameters: ['number', 'lat', 'lon', 'radius'],
    maker: 'B05',
    text: parameters => {
      const fence = wholeParameter(parameters, 'number', 1, 8);
      const radius = wholeParameter(parameters, 'radius', 1, 4_294_967_295);
      const [lat, lon] = [Number(parameters.lat ?? Number.NaN), Number(parameters.lon ?? Number.NaN)];
      if (fence === null || radius === null || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) return null;
      return `B05,${fence},${lat.toFixed(6)},${lon.toFixed(6)},${radius},1,1`;
    },
  },
  {
    command: 'message',
    parameters: ['phone', 'text'],
    maker: 'C02',
    text: parameters => {
      const [to, words] = [phone(parameters, 'phone'), textParameter(parameters, 'text', 140)];
      return to && words ? `C02,0,${to},${words}` : null;
    },
  },
  number('requestPhoto', 'camera', [1, 8], 'D03', camera => `D03,${camera},0`),
  plain('getVersion', 'E91'),
  plain('deviceReboot', 'F01'),
  number('setOdometer', 'metres', [0, 4_294_967_295], 'F08', metres => `F08,,${metres}`),
  plain('factoryReset', 'F11'),
];
