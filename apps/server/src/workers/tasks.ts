import type { ReachAsk } from '@milepost/hos';

/**
 * The pool's tasks: pure functions of plain values, by name. Must not import server state. Each is loaded when it is
 * first asked for: a worker that packs days needs neither the rules of hours nor the contract.
 */
const hos = () => import('@milepost/hos');

export const evaluateHours = task(async () => (await hos()).answerVector);

export const packDay = task(async () => (await import('../tracks/sealed-day.ts')).packDay);

export const watchPast = task(async () => (await import('../watching/watch-past.ts')).watchPast);

export const readBoardLogs = task(async () => (await import('../logs/read-board-logs.ts')).readBoardLogs);

export const writePoints = task(async () => (await import('../points/write-points.ts')).writePoints);

export const reachStops = async (asks: readonly ReachAsk[]) => (await hos()).reachAll(asks);

export const reachBriefly = async (asks: readonly ReachAsk[]) => (await hos()).reachAll(asks, true);

function task<Input, Output>(load: () => Promise<(input: Input) => Output>) {
  return async (input: Input) => (await load())(input);
}
