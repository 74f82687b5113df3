import type { AuditAction, AuditEntry } from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import type { AccountTransaction } from '../../db/database.ts';
import type { Session } from '../../http/session.ts';

/** Who does something, and from which address. */
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
  /** What it was done to: its ID, and its current name. */
  readonly target?: { readonly id: string | number; readonly name: string };
  readonly changes?: readonly Change[];
  /** What a rule said after it, for its sentence. */
  readonly rule?: object;
}

/** The author of a call: `audit(trx, authorOf(call), …)`. */
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

/** Writes to the audit log in the transaction of the change, so that neither exists without the other. */
export async function audit(
  trx: AccountTransaction,
  author: Author,
  ...records: readonly AuditRecord[]
): Promise<void> {
  for (let i = 0; i < records.length; i += ROWS_A_STATEMENT) {
    const values = records.slice(i, i + ROWS_A_STATEMENT).map(record => ({
      account_id: author.accountId,
      action: record.action,
      user_id: author.userId,
      user_name: author.userName,
      via: author.via,
      address: author.address,
      target_id: record.target === undefined ? null : String(record.target.id),
      target_name: record.target?.name ?? null,
      changes: JSON.stringify(record.changes ?? []),
      rule: record.rule === undefined ? null : JSON.stringify(record.rule),
    }));
    await trx.insertInto('audit_entry').values(values).execute();
  }
}
/** An import of 10,000 vehicles takes ten statements, none of which blocks other work for long. */
const ROWS_A_STATEMENT = 1000;

/** Longer values are cut: the log says what was done and is not a copy of the data. */
const MAX_CHARACTERS = 300;

/** The fields that differ. Objects and arrays are written as JSON. Don't pass secrets. */
export function changesBetween<T extends object>(before: Partial<T>, after: Partial<T>): Change[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof T & string>;
  return [...fields]
    .map(field => ({ field, from: plain(before[field]), to: plain(after[field]) }))
    .filter(({ from, to }) => from !== to);
}

/** Records that a secret was changed, without its value. */
export const secretChanged = (field: string): Change => ({ field, from: null, to: '•••' });

function plain(value: unknown): Change['from'] {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  const text =
    typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? '');
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
