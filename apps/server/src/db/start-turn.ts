import type { Pool } from 'pg';

/** Our own lock number. */
const LOCK = 0x6d_69_6c_53;

/**
 * Servers that start at once prepare what there must be one of, such as the first owner, one after the other. Resolves
 * when it is this server's turn; the returned function ends it, and calling that again does nothing.
 */
export async function takeStartTurn(pool: Pool): Promise<() => Promise<void>> {
  const client = await pool.connect();
  let ended: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    const isOver = await client.query('select pg_advisory_unlock($1)', [LOCK]).then(
      () => true,
      () => false,
    );
    // A connection that may still hold the lock is closed, which lets go of it.
    client.release(!isOver);
  };
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
  } catch (error) {
    client.release(true);
    throw error;
  }
  return () => (ended ??= end());
}
