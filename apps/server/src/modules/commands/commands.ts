import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import type { OwnPassword } from '../accounts/own-password.ts';
import { createControlPasswords } from './control-password.ts';
import type { DispatcherParts } from './dispatcher.ts';
import { createGrants } from './grants.ts';
import { type CommandIntents, createIntents } from './intents.ts';
import { registerCommands } from './routes.ts';
import { createControlRules } from './rules.ts';
import { createCommands } from './service.ts';

export interface OpenedCommands {
  readonly intents: CommandIntents;
  /** Nothing leaves for a tracker any more. */
  stop(): Promise<void>;
}

/** The capability of commands as a whole. Takes up what was open when the server ended. */
export async function openCommands(
  http: Http,
  context: Context,
  {
    ownPassword,
    now = () => Date.now(),
    ...parts
  }: Omit<DispatcherParts, 'now'> & {
    readonly ownPassword: OwnPassword;
    readonly now?: () => number;
  },
): Promise<OpenedCommands> {
  const passwords = createControlPasswords(context, ownPassword);
  const grants = createGrants(context, passwords, now);
  const rules = createControlRules(context, grants, parts.visibility);
  const commands = createCommands(context, { ...parts, grants, rules, now });
  registerCommands(http, commands, passwords, rules);
  await commands.dispatcher.takeUp();
  return { intents: createIntents(commands), stop: () => commands.dispatcher.stop() };
}
