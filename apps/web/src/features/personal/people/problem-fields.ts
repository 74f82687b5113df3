import type { PersonValues } from './person-values.ts';

/** Beside which field the server's refusals of a person are said. */
export const PROBLEM_FIELDS = {
  'card-taken': 'card',
  'licence-taken': 'licenceNumber',
  'user-taken': 'userId',
  'not-found': 'departmentId',
} as const satisfies Record<string, keyof PersonValues>;
