import { answerVector } from '@milepost/hos';

/** The pool's tasks: pure functions of plain values, by name. Must not import server state. */

export const evaluateHours = answerVector;
