import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import type { CommandIntents } from '../../realtime/command-intents.ts';
import type { OwnPassword } from '../accounts/own-password.ts';
import { createControlPasswords } from './control-password.ts';
import type { DispatcherParts } from './dispatcher.ts';
import { createGrants } from './grants.ts';
import { createIntents } from './intents.ts';
import { registerCommandRuns, registerCommands } from './routes.ts';
import { createControlRules } from './rules.ts';
import { createCommandRuns } from './runs.ts';
import { createCommands } from './service.ts';

export interface OpenedCommands {
  readonly intents: CommandIntents;
  /** Stops sending commands to trackers. */
  stop(): Promise<void>;
}

/** Everything for commands. Resumes commands that were open when the server stopped. */
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
  const runs = createCommandRuns(context, { ...parts, commands, grants });
  registerCommands(http, commands, passwords, rules);
  registerCommandRuns(http, runs);
  await commands.dispatcher.takeUp();
  return { intents: createIntents(commands), stop: () => commands.dispatcher.stop() };
}
