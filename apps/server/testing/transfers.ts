import type { DataExport, DataImport, MoveIn, MoveInFile, MoveInSource } from '@milepost/contract';
import { expect, vi } from 'vitest';
import type { Context } from '../src/context.ts';
import { openExports } from '../src/modules/data-transfer/exports.ts';
import { openImports } from '../src/modules/data-transfer/imports.ts';
import { openFiles } from '../src/modules/documents/files.ts';
import type { Answer, SignedIn, TestHttpServer } from './http-server.ts';

/** Exports and imports of a test's server, whose job runner has started. */

type Server = Pick<TestHttpServer, 'call'>;
type Caller = Pick<SignedIn, 'token'>;
const patient = { timeout: 60_000, interval: 25 };

export const startExport = (server: Server, { token }: Caller, body: object = {}): Promise<Answer> =>
  server.call('POST', '/api/v1/data/export', { token, body });

export const startImport = (server: Server, { token }: Caller, body: string): Promise<Answer> =>
  server.call('POST', '/api/v1/data/import', { token, body, headers: { 'content-type': 'application/x-ndjson' } });

export async function listed<T extends 'export' | 'import'>(
  server: Server,
  { token }: Caller,
  kind: T,
): Promise<T extends 'export' ? DataExport[] : DataImport[]> {
  return (await server.call('GET', `/api/v1/data/${kind}`, { token })).body as never;
}

/** The transfer once it has ended, however it did. */
export async function ended<T extends 'export' | 'import'>(server: Server, caller: Caller, kind: T, started: Answer) {
  expect([started.status, started.text]).toEqual([201, expect.any(String)]);
  const { id } = started.body as { readonly id: string };
  const find = async () => (await listed(server, caller, kind)).find(each => each.id === id);
  await vi.waitFor(async () => expect((await find())?.endedAt).toEqual(expect.any(String)), patient);
  return (await find()) as T extends 'export' ? DataExport : DataImport;
}

/** The lines of a new export. */
export async function exported(server: Server, caller: Caller, body: object = {}): Promise<string> {
  const { id, state } = await ended(server, caller, 'export', await startExport(server, caller, body));
  expect(state).toBe('done');
  return (await server.call('GET', `/api/v1/data/export/${id}/file`, caller)).text;
}

/** An import that is done. */
export async function imported(server: Server, caller: Caller, text: string): Promise<DataImport> {
  const done = await ended(server, caller, 'import', await startImport(server, caller, text));
  expect([done.state, done.problem]).toEqual(['done', null]);
  return done;
}

/** Why an import that brought in nothing failed. */
export async function refused(server: Server, caller: Caller, text: string): Promise<DataImport['problem']> {
  const { problem, rows, state } = await ended(server, caller, 'import', await startImport(server, caller, text));
  expect([state, rows]).toEqual(['failed', null]);
  return problem;
}

/** The context for transfers of which another part of the server has the jobs. */
export function withoutJobs(context: Context): Context {
  const { jobs } = context;
  return { ...context, jobs: { ...jobs, repeat: () => {}, oneOffs: { ...jobs.oneOffs, define: () => {} } } };
}

/** What the hourly jobs do, at some time. */
export async function sweepTransfers(
  { context, organisation }: Pick<TestHttpServer, 'context' | 'organisation'>,
  nowMs: number,
): Promise<void> {
  const elsewhere = withoutJobs(context);
  const documents = openFiles(context.config.dataDir);
  await openExports(elsewhere, documents).sweep(nowMs);
  await openImports(elsewhere, documents, organisation).sweep(nowMs);
}

/** Files uploaded and checked, or imported, once that has ended. */
export async function moveIn(
  server: Server,
  { token }: Caller,
  source: MoveInSource,
  files: readonly (readonly [name: string, text: string])[],
  { dryRun = false, options = {} }: { readonly dryRun?: boolean; readonly options?: object } = {},
): Promise<MoveIn> {
  const uploaded: object[] = [];
  for (const [name, text] of files) {
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await server.call('POST', '/api/v1/data/move-in/file', { token, body: text, headers });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    uploaded.push({ id: (answer.body as MoveInFile).id, name });
  }
  const body = { source, dryRun, files: uploaded, options };
  const started = await server.call('POST', '/api/v1/data/move-in', { token, body });
  expect([started.status, started.text]).toEqual([201, expect.any(String)]);
  const { id } = started.body as MoveIn;
  const read = async () =>
    ((await server.call('GET', '/api/v1/data/move-in', { token })).body as MoveIn[]).find(each => each.id === id);
  await vi.waitFor(async () => expect((await read())?.endedAt).toEqual(expect.any(String)), patient);
  return (await read()) as MoveIn;
}
