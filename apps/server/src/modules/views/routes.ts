import { arrangeViews, createView, deleteView, listViews, updateView } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import { createViews } from './views.ts';

export function registerViews(http: Http, context: Context): void {
  const views = createViews(context);
  http.handle(listViews, ({ session, query }) => views.list(session, query.page));
  http.handle(createView, call => views.create(by(call), call.body));
  http.handle(updateView, call => views.update(by(call), Number(call.params.id), call.body));
  http.handle(deleteView, async call => {
    await views.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });
  http.handle(arrangeViews, call => views.arrange(by(call), call.body.page, call.body.ids.map(Number)));
}
