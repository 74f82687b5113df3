/** Counts days and trips of an account's vehicles until a test kills it in the middle of one. */
import { openDatabases } from '../src/db/database.ts';
import { openDirectory } from '../src/fleet/directory.ts';
import { loadLiveStates } from '../src/fleet/live.ts';
import { openDailyFigures } from '../src/modules/history/days/daily-figures.ts';
import { testContext } from './context.ts';

const [url, account] = process.argv.slice(2);
const accountId = Number(account);
const context = testContext(openDatabases({ connectionString: url }));
const directory = await openDirectory(context);
const live = await loadLiveStates(context.db.system);
const { manager } = openDailyFigures(context, { directory, live });
const ids = [...directory.ofAccount(accountId)].map(({ id }) => id);
for (;;) {
  // What the server that takes positions in has in memory.
  const stored = await loadLiveStates(context.db.system);
  for (const id of ids) {
    const state = stored.of(id);
    if (state) live.set(accountId, id, state);
  }
  await manager.catchUp(accountId, ids, 1000);
}
