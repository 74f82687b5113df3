import type { TaskFit } from '@milepost/contract';
import type { Reach, ReachAsk } from '@milepost/hos';
import type { DriverErrand } from './errands.ts';
import { askOf, type Candidate } from './fit.ts';
import { before, type Errand, inOrder } from './way.ts';

/** A candidate with the tasks that they have. */
export interface Driver extends Candidate {
  readonly errands: readonly DriverErrand[];
}

type MadeLate = TaskFit['makesLate'][number];

/** Of so many drivers, and of so many later tasks of each: every plan takes some milliseconds of a processor. */
const MOST_DRIVERS = 40;
const MOST_LATER = 4;

/**
 * The later tasks of each driver that could not be reached in time any more if the driver did this one as well. Those
 * that would be late without it, too, are not its doing.
 */
export async function madeLate(
  reach: (asks: readonly ReachAsk[]) => Promise<readonly Reach[]>,
  drivers: readonly Driver[],
  task: Errand,
  now: number,
): Promise<ReadonlyMap<Candidate, MadeLate[]>> {
  const withLater = drivers
    .map(driver => ({ driver, later: laterThan(driver.errands, task, now) }))
    .filter(({ later }) => later.length > 0)
    .slice(0, MOST_DRIVERS);
  const asked = withLater.flatMap(({ driver, later }) =>
    later.flatMap(errand => {
      const others = driver.errands.filter(one => one !== errand);
      const withTask = askOf({ ...driver, errands: [...others, task] }, errand, now);
      const without = askOf({ ...driver, errands: others }, errand, now);
      return 'ask' in withTask && 'ask' in without
        ? [{ driver, errand, withTask: withTask.ask, without: without.ask }]
        : [];
    }),
  );
  if (asked.length === 0) return new Map();
  const reached = await reach(asked.map(({ withTask }) => withTask));
  const late = asked.flatMap((one, i) => (reached[i]?.late ? [{ ...one, reached: reached[i] }] : []));
  if (late.length === 0) return new Map();
  const alone = await reach(late.map(({ without }) => without));
  const found = new Map<Candidate, MadeLate[]>();
  for (const [i, { driver, errand, reached, withTask }] of late.entries()) {
    if (alone[i]?.late) continue;
    const by = withTask.stops[0]?.by ?? null;
    const { arriveAt } = reached;
    const lateS = by === null || arriveAt === null ? null : Math.max(0, Math.round((arriveAt - by) / 1000));
    const of = found.get(driver) ?? [];
    of.push({ taskId: String(errand.id), title: errand.title, lateS });
    found.set(driver, of);
  }
  return found;
}

/** Tasks before which the driver would do this one, in their order. */
const laterThan = (errands: readonly DriverErrand[], task: Errand, now: number): DriverErrand[] =>
  inOrder(
    errands.filter(one => one.arrivedAt === null && one.stops.length > 0 && before([task], one, now).length > 0),
  ).slice(0, MOST_LATER);
