import { type CommandEncoder, type CommandParameters, textParameter, wholeParameter } from '../commands.ts';

/**
 * AT commands of the @Track Air Interface Protocol. Each begins with the device's password, whose factory setting is
 * the model's name in lower case (`gv300`, `gl300`); `encodeCommand` adds the serial number.
 */
const PASSWORD = 'password';

/** "AT+GTRTO", <Sub Command>: 1 position, 3 reboot, 4 factory settings, 7 signal, 8 version, 9 battery, A inputs. */
const realTime = (command: CommandEncoder['command'], sub: string): CommandEncoder => ({
  command,
  parameters: [PASSWORD],
  maker: `AT+GTRTO ${sub}`,
  text: parameters => withPassword(parameters, password => `AT+GTRTO=${password},${sub},,,,,`),
});

function withPassword(parameters: CommandParameters, text: (password: string) => string | null): string | null {
  const password = textParameter(parameters, PASSWORD, 20);
  return password === null ? null : text(password);
}

/**
 * "AT+GTOUT": status of output 1, then duration and toggle times; duration in tenths of a second, 0 holds the status.
 */
const output = (command: CommandEncoder['command'], state: 0 | 1): CommandEncoder => ({
  command,
  parameters: [PASSWORD],
  maker: 'AT+GTOUT',
  text: parameters => withPassword(parameters, password => `AT+GTOUT=${password},${state},0,0,0,0,0,0,0,,,,,`),
});

export const COMMANDS: readonly CommandEncoder[] = [
  realTime('trackOnDemand', '1'),
  realTime('getGps', '0'),
  realTime('getGsm', '7'),
  realTime('getVersion', '8'),
  realTime('getIo', 'A'),
  realTime('deviceReboot', '3'),
  realTime('factoryReset', '4'),
  output('engineStop', 1),
  output('engineResume', 0),
  output('outputOn', 1),
  output('outputOff', 0),
  {
    command: 'setGprsInterval',
    parameters: [PASSWORD, 'seconds'],
    maker: 'AT+GTFRI',
    text: parameters => {
      const seconds = wholeParameter(parameters, 'seconds', 5, 86_400);
      if (seconds === null) return null;
      return withPassword(parameters, password =>
        // Handhelds have a send and a check interval after the times of day, vehicle models one interval.
        password.startsWith('gl')
          ? `AT+GTFRI=${password},1,0,,,0000,0000,${seconds},${seconds}`
          : `AT+GTFRI=${password},1,0,,0,0000,0000,,${seconds},1000,1000,,0,0,0,0,${Math.max(60, seconds)},,,`,
      );
    },
  },
];
