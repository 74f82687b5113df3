import { type Credentials, credentialsSchema } from '@milepost/contract';
import { issueWords } from '../../base/problem-words.ts';

/** The credentials to send, or what is wrong with each field; a field's first message comes last, so that it stays. */
export function checkCredentials(entered: Credentials): {
  readonly credentials: Credentials | null;
  readonly errors: readonly (readonly [field: string, message: string])[];
} {
  const { data = null, error } = credentialsSchema.safeParse(entered);
  const errors = error?.issues.map(issue => [String(issue.path[0]), issueWords(issue)] as const) ?? [];
  return { credentials: data, errors: errors.toReversed() };
}
