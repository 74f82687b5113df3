/** What a failed write means for the batch that failed. */
export type Trouble =
  /** These rows can never be stored; others can. */
  | { readonly kind: 'data'; readonly removedVehicle: boolean }
  /** The same rows, or their vehicles' owner, were changed before or meanwhile: writing them again, row by row, works. */
  | { readonly kind: 'collision' }
  /** No row can be stored at the moment. `sentence` says why, for `/health`. */
  | { readonly kind: 'database'; readonly sentence: string };

const FOREIGN_KEY_VIOLATION = '23503';
/**
 * SQLSTATE classes that blame the data (PostgreSQL, appendix A): data exception, integrity constraint violation,
 * program limit exceeded (a row too large). All else is the database's state, and waiting is right.
 */
const DATA_CLASSES = new Set(['22', '23', '54']);

const SENTENCES: Readonly<Record<string, string>> = {
  '53100':
    'The disk of the database is full. Positions wait, and trackers keep what is not acknowledged: free some space.',
  '53200': 'The database is out of memory. Positions wait, and trackers keep what is not acknowledged.',
  '53300': 'The database has no free connection. Positions wait, and trackers keep what is not acknowledged.',
  '57P03': 'The database is starting. Positions wait.',
  '25006': 'The database is read-only. Positions wait, and trackers keep what is not acknowledged.',
};

/** A month got its partition after a row was routed to the default partition and before it arrived there. */
const isMovedPartition = (error: unknown, code: string): boolean =>
  code === '23514' && (error as { constraint?: string }).constraint === undefined;
/** Another node has taken vehicles over (`owners.ts`), or is still writing what is to be taken from it. */
const FENCED = 'MP001';
const LOCK_NOT_AVAILABLE = '55P03';
/** A row that was taken for new already exists: the second time it is looked up first. */
const UNIQUE_VIOLATION = '23505';
/** Transaction rollback: deadlock, serialization failure. */
const ROLLBACK_CLASS = '40';
const isCollision = (error: unknown, code: string): boolean =>
  [UNIQUE_VIOLATION, FENCED, LOCK_NOT_AVAILABLE].includes(code) ||
  code.startsWith(ROLLBACK_CLASS) ||
  isMovedPartition(error, code);

export function troubleOf(error: unknown): Trouble {
  // A value that its column's binary form can't hold never reached the database.
  if (error instanceof RangeError || error instanceof TypeError) return { kind: 'data', removedVehicle: false };
  const code = sqlStateOf(error);
  if (code !== null && isCollision(error, code)) return { kind: 'collision' };
  if (code !== null && DATA_CLASSES.has(code.slice(0, 2))) {
    return { kind: 'data', removedVehicle: code === FOREIGN_KEY_VIOLATION };
  }
  const known = code === null ? undefined : SENTENCES[code];
  const reason = error instanceof Error ? error.message : String(error);
  return {
    kind: 'database',
    sentence:
      known ??
      `The database does not take positions (${reason}). They wait, and trackers keep what is not acknowledged.`,
  };
}

function sqlStateOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  // Node's own codes (ECONNREFUSED …) are longer.
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
