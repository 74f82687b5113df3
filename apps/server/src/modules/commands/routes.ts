import {
  cancelCommand,
  confirmControlPassword,
  createCommand,
  listCommands,
  offerCommands,
  previewCommand,
  readCommand,
  readControlPassword,
  setControlPassword,
} from '@milepost/contract';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import type { ControlPasswords } from './control-password.ts';
import type { Commands } from './service.ts';

export function registerCommands(http: Http, commands: Commands, passwords: ControlPasswords): void {
  http.handle(listCommands, ({ session, query }) => commands.list(session, query));
  http.handle(offerCommands, async ({ session, query }) => ({
    ...(await commands.offer(session, Number(query.deviceId))),
    controlPasswordSet: (await passwords.read(session.accountId)).set,
  }));
  http.handle(readCommand, ({ session, params }) => commands.read(session, params.id));
  http.handle(createCommand, call => commands.ask(by(call), call.body));
  http.handle(previewCommand, ({ session, body }) => commands.preview(session, body));
  http.handle(cancelCommand, call => commands.cancel(by(call), call.params.id));
  http.handle(confirmControlPassword, call => commands.confirm(by(call), call.body));
  http.handle(readControlPassword, ({ session }) => passwords.read(session.accountId));
  http.handle(setControlPassword, async call => {
    await passwords.set(call, call.body.password, call.body.controlPassword);
    return { ok: true as const };
  });
}
