import type { Pool, PoolClient } from 'pg';

/** Runs `work` in a transaction: all of it is committed, or none. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // Closing the connection rolls back, even if the connection itself failed.
    client.release(true);
    throw error;
  }
}
