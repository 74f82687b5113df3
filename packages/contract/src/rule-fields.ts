import { z } from 'zod';
import { issue } from './issue.ts';

export const WEEK = 10_080;
export const minutes = (min: number) => {
  const problem = issue('minutes-between', { min, max: WEEK });
  return z.int(problem).min(min, problem).max(WEEK, problem);
};
export const between = (min: number, max: number) =>
  z.number().min(min, issue('at-least', { min })).max(max, issue('at-most', { max }));

const NO_TIME = issue('time-of-day');
export const timeSchema = z.string(NO_TIME).regex(/^([01]\d|2[0-3]):[0-5]\d$/, NO_TIME);
/** 1 is Monday, 7 is Sunday. */
export const daysSchema = z.array(z.int().min(1).max(7)).min(1, issue('at-least-one')).max(7);
