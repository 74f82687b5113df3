import type { AuditAction, AuditEntry } from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import type { AccountTransaction } from '../../db/database.ts';
import type { Session } from '../../http/session.ts';

/** Who does something, and from where. */
export interface Author {
  readonly accountId: number;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly via: AuditEntry['via'];
  readonly address: string | null;
}

export type Change = AuditEntry['changes'][number];

export interface AuditRecord {
  readonly action: AuditAction;
  /** To what: its id, and its name as it is now. */
  readonly target?: { readonly id: string | number; readonly name: string };
  readonly changes?: readonly Change[];
}

/** Of a call: `audit(trx, authorOf(call), …)`. */
export function authorOf({
  session,
  request,
}: {
  readonly session: Session;
  readonly request: FastifyRequest;
}): Author {
  return {
    accountId: session.accountId,
    userId: session.userId,
    userName: session.userName,
    via: session.kind === 'api-token' ? 'api-token' : 'session',
    address: request.ip,
  };
}

/** The author of what the server does on its own. */
export const systemAuthor = (accountId: number): Author => ({
  accountId,
  userId: null,
  userName: null,
  via: 'system',
  address: null,
});

/** Writes to the audit log in the transaction of the change itself: there is neither without the other. */
export async function audit(trx: AccountTransaction, author: Author, record: AuditRecord): Promise<void> {
  await trx
    .insertInto('audit_entry')
    .values({
      account_id: author.accountId,
      action: record.action,
      user_id: author.userId,
      user_name: author.userName,
      via: author.via,
      address: author.address,
      target_id: record.target === undefined ? null : String(record.target.id),
      target_name: record.target?.name ?? null,
      changes: JSON.stringify(record.changes ?? []),
    })
    .execute();
}

/** Longer values are cut in the log: it says what was done, and is no second store. */
const MAX_CHARACTERS = 300;

/** The fields that differ. Values that are no plain ones are written as JSON; secrets are not to be handed in. */
export function changesBetween<T extends object>(before: Partial<T>, after: Partial<T>): Change[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof T & string>;
  return [...fields]
    .map(field => ({ field, from: plain(before[field]), to: plain(after[field]) }))
    .filter(({ from, to }) => from !== to);
}

/** That a secret was changed, and nothing of it. */
export const secretChanged = (field: string): Change => ({ field, from: null, to: '•••' });

function plain(value: unknown): Change['from'] {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text =
    typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? '');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
