import { answerVector, type ReachAsk, reachAll } from '@milepost/hos';
import { readBoardLogs as readBoard } from '../logs/read-board-logs.ts';
import { writePoints as write } from '../points/write-points.ts';
import { packDay as pack } from '../tracks/sealed-day.ts';
import { watchPast as watch } from '../watching/watch-past.ts';

/** The pool's tasks: pure functions of plain values, by name. Must not import server state. */

export const evaluateHours = answerVector;

export const packDay = pack;

export const watchPast = watch;

export const readBoardLogs = readBoard;

export const writePoints = write;

export const reachStops = (asks: readonly ReachAsk[]) => reachAll(asks);

export const reachBriefly = (asks: readonly ReachAsk[]) => reachAll(asks, true);
