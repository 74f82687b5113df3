import { afterAll, beforeAll, expect, it } from 'vitest';
import { testContext } from '../../../testing/context.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import type { Context } from '../../context.ts';
import { createAccount, createUser } from './accounts.ts';
import { createSessions, messagingCredential, type Sessions } from './sessions.ts';

let database: TestDatabase;
let context: Context;
let sessions: Sessions;
let accountId: number;
let userId: string;

beforeAll(async () => {
  database = await testDatabase();
  context = testContext(database.databases);
  await context.feed.open();
  sessions = createSessions(context);
  accountId = await createAccount(context.db, { name: 'A' });
  userId = await createUser(context.db, { accountId, userName: 'ann', role: 'admin', password: null });
});
afterAll(() => database.close());

const rows = () => context.db.system.selectFrom('session').selectAll().where('user_id', '=', userId).execute();

it('gives 256 random bits, and keeps neither them nor the messaging credential', async () => {
  const { token, sessionId } = await sessions.open({ accountId, userId });
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const stored = JSON.stringify(await rows());
  for (const secret of [token, messagingCredential(token)]) {
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(JSON.stringify([...Buffer.from(secret, 'base64url')]));
  }
  expect(await sessions.findByToken(token)).toMatchObject({
    sessionId,
    accountId,
    userId,
    userName: 'ann',
    role: 'admin',
  });
});

it('lasts 12 hours, or 30 days where someone stays signed in', async () => {
  const hours = ({ expiresAt }: { expiresAt: Date }) => Math.round((expiresAt.getTime() - Date.now()) / 3_600_000);
  expect(hours(await sessions.open({ accountId, userId }))).toBe(12);
  expect(hours(await sessions.open({ accountId, userId, keepSignedIn: true }))).toBe(30 * 24);
});

it('[R6.02] finds a session by its messaging credential, for its own user only', async () => {
  const { token, sessionId } = await sessions.open({ accountId, userId });
  const password = messagingCredential(token);
  expect(await sessions.findByMessaging(userId, 'ann', password)).toMatchObject({ sessionId });
  expect(await sessions.findByMessaging(userId, 'bob', password)).toBeNull();
  expect(await sessions.findByMessaging('0191e7a0-0000-7000-8000-000000000000', 'ann', password)).toBeNull();
  expect(await sessions.findByMessaging(userId, 'ann', token)).toBeNull();
  expect(await sessions.findByToken(password)).toBeNull();
});

it('[R4.03] ends at once, everywhere, though it was just looked up', async () => {
  const { token, sessionId } = await sessions.open({ accountId, userId });
  const password = messagingCredential(token);
  await Promise.all([sessions.findByToken(token), sessions.findByMessaging(userId, 'ann', password)]);
  const ended: string[] = [];
  const unsubscribe = context.signals.on('sessions-ended', event => ended.push(...event.sessionIds));
  await sessions.end([sessionId]);
  unsubscribe();
  expect(ended).toEqual([sessionId]);
  expect(await sessions.findByToken(token)).toBeNull();
  expect(await sessions.findByMessaging(userId, 'ann', password)).toBeNull();
});

it('ignores a read that was overtaken by the session’s end', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { token, sessionId } = await sessions.open({ accountId, userId });
      const looks = Array.from({ length: 5 }, () => sessions.findByToken(token));
      await sessions.end([sessionId]);
      await Promise.all(looks);
      return sessions.findByToken(token);
    }),
  );
  expect(outcomes.every(session => session === null)).toBe(true);
});

it('ends expired sessions, and announces it', async () => {
  const { token, sessionId } = await sessions.open({ accountId, userId });
  await context.db.system
    .updateTable('session')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', sessionId)
    .execute();
  expect(await sessions.findByToken(token)).toBeNull();
  const ended: string[] = [];
  const unsubscribe = context.signals.on('sessions-ended', event => ended.push(...event.sessionIds));
  await sessions.endExpired();
  unsubscribe();
  expect(ended).toEqual([sessionId]);
});

it('ends every session of a user', async () => {
  const [one, other] = [await sessions.open({ accountId, userId }), await sessions.open({ accountId, userId })];
  await sessions.endOfUser(userId);
  expect(await sessions.findByToken(one.token)).toBeNull();
  expect(await sessions.findByToken(other.token)).toBeNull();
  expect(await rows()).toEqual([]);
});

it('finds nothing for an invalid token', async () => {
  for (const token of ['', ' ', '\0', 'ä', 'x'.repeat(10_000)]) expect(await sessions.findByToken(token)).toBeNull();
});
