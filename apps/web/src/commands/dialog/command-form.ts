import {
  COMMAND_PARAMETERS,
  type CommandParameter,
  commandKind,
  controlConfirmationSchema,
  controlReasonSchema,
  newCommandSchema,
} from '@milepost/contract';
import { z } from 'zod';
import type { OfferedCommand } from '../offers.ts';

/** Typed values by field name. Parameters are named `params.seconds` and so on, as in the server's errors. */
export type CommandValues = Readonly<Record<string, string>>;

export interface CommandBody {
  readonly params: Readonly<Record<string, string | number>>;
  readonly reason: string;
  readonly controlPassword: string;
}

const isParameter = (name: string): name is CommandParameter => Object.hasOwn(COMMAND_PARAMETERS, name);

/** The command's parameters that the form has fields for. */
export const fieldsOf = (command: OfferedCommand) =>
  command.parameters.flatMap(({ name, required }) => (isParameter(name) ? [{ name, required }] : []));

export const needsPassword = ({ category }: OfferedCommand): boolean => category === 'control';

/** The form's schema for this command, made of the contract's rules for each field. */
export function commandFormSchema(command: OfferedCommand): z.ZodType<CommandBody> {
  const isControl = needsPassword(command);
  const kind = commandKind(command.action);
  const params = fieldsOf(command).map(({ name, required }): [string, z.ZodType<string | number>] => {
    const schema: z.ZodType = COMMAND_PARAMETERS[name];
    const needed = required || (kind.parameters as readonly string[]).includes(name);
    return [name, (needed ? schema : schema.optional()) as z.ZodType<string | number>];
  });
  const { controlPassword } = controlConfirmationSchema.shape;
  return z.object({
    params: z.object(Object.fromEntries(params)).transform(withoutEmpty),
    reason: isControl ? controlReasonSchema : reasonSchema,
    controlPassword: isControl ? controlPassword : z.string(),
  });
}

const reasonSchema = newCommandSchema.shape.reason.unwrap();

const withoutEmpty = (params: Readonly<Record<string, string | number | undefined>>) =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined)) as CommandBody['params'];

/** The request body. Empty fields are left out, because an empty number isn't 0. */
export function commandBody(values: CommandValues): unknown {
  const params = Object.entries(values).flatMap(([name, value]) =>
    name.startsWith(PREFIX) && value.trim() !== '' ? [[name.slice(PREFIX.length), value]] : [],
  );
  return { params: Object.fromEntries(params), reason: values.reason, controlPassword: values.controlPassword };
}

const PREFIX = 'params.';

/** Initial values of the form: what the user typed before in fields with the same names. */
export function initialValues(command: OfferedCommand, typed: CommandValues): CommandValues {
  const names = [...fieldsOf(command).map(({ name }) => PREFIX + name), 'reason', 'controlPassword'];
  return Object.fromEntries(names.map(name => [name, typed[name] ?? '']));
}
