import { answerVector } from '@milepost/hos';

/** What runs in the pool: pure functions of plain values, by name. Nothing here may import what the server keeps. */

export const evaluateHours = answerVector;
