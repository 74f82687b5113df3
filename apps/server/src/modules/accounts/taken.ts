import { fieldProblem } from '../../app-error.ts';

const UNIQUE_VIOLATION = '23505';

/** Problem codes by unique index of users and roles. Other errors are returned unchanged. */
const PROBLEM_OF_INDEX = {
  app_user_user_name: ['user-name-taken', 'userName'],
  app_user_email: ['email-taken', 'email'],
  custom_role_name: ['role-name-taken', 'name'],
} as const;

export function takenProblem(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error.code !== UNIQUE_VIOLATION) return error;
  const index = 'constraint' in error ? String(error.constraint) : '';
  if (!Object.hasOwn(PROBLEM_OF_INDEX, index)) return error;
  const [code, field] = PROBLEM_OF_INDEX[index as keyof typeof PROBLEM_OF_INDEX];
  return fieldProblem(field, code);
}
