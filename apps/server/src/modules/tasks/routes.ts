import {
  addTaskProof,
  cancelTask,
  createTask,
  deleteTask,
  listMyTasks,
  listTaskFits,
  listTasks,
  may,
  readTaskFile,
  reportTask,
  TASK_ESTIMATE,
  updateTask,
} from '@milepost/contract';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import type { Fits } from './ahead/fits.ts';
import type { Tasks } from './tasks.ts';

export function registerTasks(http: Http, tasks: Tasks, fits: Fits): void {
  http.handle(listTasks, ({ session, query }) => tasks.list(session, new Date(query.from), new Date(query.to)));
  http.handle(listTaskFits, async ({ session, body }) => {
    const now = Date.now();
    return {
      ...{ at: new Date(now).toISOString(), assumes: TASK_ESTIMATE },
      drivers: await fits.of(session, may(session, 'tasks.read'), body, now),
    };
  });
  http.handle(createTask, call => tasks.create(by(call), call.body));
  http.handle(updateTask, call => tasks.update(by(call), Number(call.params.id), call.body));
  http.handle(cancelTask, call => tasks.cancel(by(call), Number(call.params.id), call.body.reason));
  http.handle(deleteTask, async call => {
    await tasks.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });
  http.handle(listMyTasks, ({ session }) => tasks.mine(session));
  http.handle(reportTask, call => tasks.report(by(call), Number(call.params.id), call.body));
  http.handle(addTaskProof, call => tasks.addProof(by(call), Number(call.params.id), call.body));
  http.handle(readTaskFile, async ({ session, params }) => {
    const content = await tasks.proof(session, Number(params.id), params.part, may(session, 'tasks.read'));
    return new FileAnswer(content, { type: 'image/webp', cacheControl: 'private, no-cache' });
  });
}
