import { type CommandEncoder, textParameter, wholeParameter } from '../commands.ts';

/**
 * Universal protocol: group and action, "CMD;<id>;03;01". Models of the older protocols need the words of "Command for
 * General Use": `model?` gives the model, such as `ST300`.
 */
function either(command: CommandEncoder['command'], universal: string, older: string): CommandEncoder {
  return {
    command,
    parameters: ['model?'],
    maker: `${universal} or ${older}`,
    text: parameters => {
      const model = textParameter(parameters, 'model', 5);
      return model === null ? universal : /^(ST|SA)\d{3}$/.test(model) ? `${model}:${older}` : null;
    },
  };
}

export const COMMANDS: readonly CommandEncoder[] = [
  either('trackOnDemand', '03;01', 'StatusReq'),
  either('getVersion', '03;06', 'ReqVer'),
  either('deviceReboot', '03;03', 'Reboot'),
  either('factoryReset', '03;04', 'Reset'),
  either('engineStop', '04;01', 'Enable1'),
  either('engineResume', '04;02', 'Disable1'),
  {
    command: 'outputOn',
    parameters: ['output', 'model?'],
    maker: '04;01, 04;03 or Enable1, Enable2',
    text: parameters => output(parameters, 1, 'Enable'),
  },
  {
    command: 'outputOff',
    parameters: ['output', 'model?'],
    maker: '04;02, 04;04 or Disable1, Disable2',
    text: parameters => output(parameters, 2, 'Disable'),
  },
];

function output(parameters: Parameters<CommandEncoder['text']>[0], action: 1 | 2, word: string): string | null {
  const number = wholeParameter(parameters, 'output', 1, 2);
  if (number === null) return null;
  const model = textParameter(parameters, 'model', 5);
  return model === null ? `04;0${action + (number - 1) * 2}` : `${model}:${word}${number}`;
}
