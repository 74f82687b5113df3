import {
  agreeToCommand,
  cancelCommand,
  cancelCommandRun,
  confirmControlPassword,
  createCommand,
  createCommandRun,
  declineCommand,
  listCommandRuns,
  listCommands,
  offerCommands,
  previewCommand,
  readCommand,
  readCommandRun,
  readControlPassword,
  readControlRules,
  setControlPassword,
  updateControlRules,
} from '@milepost/contract';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import type { ControlPasswords } from './control-password.ts';
import type { ControlRules } from './rules.ts';
import type { CommandRuns } from './runs.ts';
import type { Commands } from './service.ts';

export function registerCommands(
  http: Http,
  commands: Commands,
  passwords: ControlPasswords,
  rules: ControlRules,
): void {
  http.handle(listCommands, ({ session, query }) => commands.list(session, query));
  http.handle(offerCommands, async ({ session, query }) => {
    const offer = await commands.offer(session, Number(query.deviceId));
    const { set, demoPassword } = await passwords.read(session.accountId);
    return { ...offer, controlPasswordSet: set, demoPassword };
  });
  http.handle(readCommand, ({ session, params }) => commands.read(session, params.id));
  http.handle(createCommand, call => commands.ask(by(call), call.body));
  http.handle(previewCommand, ({ session, body }) => commands.preview(session, body));
  http.handle(cancelCommand, call => commands.cancel(by(call), call.params.id));
  http.handle(agreeToCommand, call => commands.agree(by(call), call.params.id, call.body.grant));
  http.handle(declineCommand, call => commands.decline(by(call), call.params.id, call.body.reason));
  http.handle(confirmControlPassword, call => commands.confirm(by(call), call.body));
  http.handle(readControlPassword, ({ session }) => passwords.read(session.accountId));
  http.handle(readControlRules, ({ session }) => rules.read(session.accountId));
  http.handle(updateControlRules, call => rules.change(by(call), call.body.secondPerson, call.body.controlPassword));
  http.handle(setControlPassword, async call => {
    await passwords.set(call, call.body.password, call.body.controlPassword);
    return { ok: true as const };
  });
}

export function registerCommandRuns(http: Http, runs: CommandRuns): void {
  http.handle(listCommandRuns, ({ session }) => runs.list(session));
  http.handle(readCommandRun, ({ session, params }) => runs.read(session, params.id));
  http.handle(createCommandRun, call => runs.start(by(call), call.body));
  http.handle(cancelCommandRun, ({ session, params }) => runs.cancel(session, params.id));
}
