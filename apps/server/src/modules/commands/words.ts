import {
  COMMAND_ACTIONS,
  COMMAND_PARAMETERS,
  type Command,
  type CommandAction,
  type CommandMode,
  type CommandParameter,
  commandKind,
  type FieldError,
  fieldError,
  fieldErrorOf,
  type NewCommand,
  type TrackerProtocol,
} from '@milepost/contract';
import { type ProtocolName, protocols } from '@milepost/decoders';
import { AppError, invalidField } from '../../app-error.ts';

type Params = Command['params'];

/** A command as a protocol has it. */
export interface Offered {
  readonly action: CommandAction;
  /** The maker's name for it. */
  readonly maker: string;
  readonly parameters: readonly { readonly name: CommandParameter; readonly required: boolean }[];
  /** What a connection encodes; null where the maker does not take these values. */
  text(params: Params): string | null;
}

const parameterOf = (name: string) => ({
  name: name.replace(/\?$/, '') as CommandParameter,
  required: !name.endsWith('?'),
});

/**
 * What a tracker on MQTT hears on `user/{imei}`: the action alone, as the specification has it [R7.34]; with parameters
 * an object that names it. A number for the answer is put in where it is sent.
 */
export function mqttText(action: CommandAction, params: Params): string {
  return Object.keys(params).length === 0 ? action : JSON.stringify({ action, params });
}

const offersOfMqtt: readonly Offered[] = COMMAND_ACTIONS.map(action => ({
  action,
  maker: action,
  parameters: commandKind(action).parameters.map(parameterOf),
  text: params => mqttText(action, params),
}));

/** Every command that trackers of this protocol have. */
export const offersOf = (protocol: TrackerProtocol): readonly Offered[] => OFFERS.get(protocol) ?? [];

export const offerOf = (protocol: TrackerProtocol, action: CommandAction): Offered | null =>
  offersOf(protocol).find(offered => offered.action === action) ?? null;

const OFFERS = new Map<TrackerProtocol, readonly Offered[]>([
  ['mqtt', offersOfMqtt],
  ...Object.entries(protocols).map(([name, { commands }]): [TrackerProtocol, Offered[]] => [
    name as ProtocolName,
    commands.map(({ command, maker, parameters, text }) => ({
      action: command,
      maker,
      parameters: parameters.map(parameterOf),
      text,
    })),
  ]),
]);

/** The number of a command comes back in the answer: several can be under way at once. */
const REFERENCED: ReadonlySet<TrackerProtocol> = new Set(['gt06', 'jt808', 'calamp', 'gl200', 'galileosky']);
export const carriesReference = (protocol: TrackerProtocol): boolean => REFERENCED.has(protocol);

/** The mode that was chosen, else the safe one; null where there is but one way. */
export function modeOf({ action, mode }: Pick<NewCommand, 'action' | 'mode'>): CommandMode | null {
  const { modes } = commandKind(action);
  if (mode !== undefined && !modes.includes(mode)) throw invalidField('mode', 'mode-not-offered');
  return mode ?? modes[0] ?? null;
}

/** The parameters of a command as they were given, read; throws `invalid-input` with all that is wrong. */
export function readParams({ parameters, text }: Offered, given: Params): Params {
  const read: Record<string, Params[string]> = {};
  const errors: FieldError[] = [];
  const complain = (name: string, code: 'unknown-parameter' | 'required' | 'values-not-accepted'): void => {
    errors.push(fieldError(`params.${name}`, code));
  };
  for (const name of Object.keys(given)) {
    if (!parameters.some(parameter => parameter.name === name)) complain(name, 'unknown-parameter');
  }
  for (const { name, required } of parameters) {
    const value = given[name];
    if (value === undefined || value === '') {
      if (required) complain(name, 'required');
      continue;
    }
    const parsed = COMMAND_PARAMETERS[name].safeParse(value);
    if (parsed.success) read[name] = parsed.data;
    else
      errors.push(
        ...parsed.error.issues.slice(0, 1).map(issue => ({ ...fieldErrorOf(issue), field: `params.${name}` })),
      );
  }
  if (errors.length === 0 && text(read) === null) complain('', 'values-not-accepted');
  if (errors.length > 0) throw new AppError('invalid-input', {}, { errors });
  return read;
}
