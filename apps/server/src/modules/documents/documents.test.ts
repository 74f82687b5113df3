import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentRecord, documentSchema } from '@milepost/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, type Caller, callerOf } from '../../../testing/organisation.ts';
import { systemAuthor } from '../audit/audit.ts';
import { createDocuments } from './documents.ts';
import { documentTypeOf, safeFileName } from './file-type.ts';
import { openFiles } from './files.ts';
import { sweepFiles } from './routes.ts';

const PDF = '%PDF-1.7\n%âãÏÓ\n';

let server: TestHttpServer;
let owner: SignedIn;
let call: Caller;
let truck: { readonly id: string };
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  call = callerOf(server, owner);
  truck = await addNamedVehicle(server, owner.accountId, 'Truck 1');
});

const form = (fields: Readonly<Record<string, string>>, file: Blob | null, name = 'document.pdf'): FormData => {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  if (file) body.append('file', file, name);
  return body;
};
const INSURANCE = { kind: 'insurance', title: 'Insurance 2027', expiresOn: '2027-03-31', notes: '' };
const add = async (file: Blob = new Blob([PDF]), name?: string, fields: Record<string, string> = INSURANCE) =>
  call('POST', `/device/${truck.id}/document`, form(fields, file, name));
const addTo = async ({ id }: { readonly id: string }): Promise<string> =>
  ((await call('POST', `/device/${id}/document`, form(INSURANCE, new Blob([PDF])))).body as DocumentRecord).id;
const onDisk = () => readdir(join(server.context.config.dataDir, 'documents')).catch(() => []);

describe('documents', () => {
  it('of a vehicle are kept, listed, changed, downloaded and deleted with their file', async () => {
    const { status, body } = await add();
    expect(status).toBe(201);
    const document: DocumentRecord = documentSchema.parse(body);
    expect(document).toMatchObject({
      kind: 'insurance',
      title: 'Insurance 2027',
      expiresOn: '2027-03-31',
      notes: null,
      fileName: 'document.pdf',
      type: 'application/pdf',
      createdBy: owner.userName,
    });
    expect((await call('GET', `/device/${truck.id}`)).body).toMatchObject({ documentsExpireOn: '2027-03-31' });
    await call('PATCH', `/device/${truck.id}/document/${document.id}`, { title: 'Insurance', expiresOn: null });
    expect((await call('GET', `/device/${truck.id}/document`)).body).toMatchObject([
      { title: 'Insurance', expiresOn: null },
    ]);
    const file = await call('GET', `/device/${truck.id}/document/${document.id}/file`);
    expect([file.status, file.text]).toEqual([200, PDF]);
    const before = (await onDisk()).length;
    await call('DELETE', `/device/${truck.id}/document/${document.id}`);
    expect(await onDisk()).toHaveLength(before - 1);
    expect((await call('GET', `/device/${truck.id}/document/${document.id}/file`)).status).toBe(404);
  });

  it('of a driver can be read by that driver, who can’t read others', async () => {
    const ann = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const own = callerOf(server, ann);
    expect((await own('GET', '/my_driver/document')).body).toEqual([]);
    const documentOf = async (name: string, userId?: string) => {
      const { id } = (await call('POST', '/driver', { name, ...(userId && { userId }) })).body as { id: string };
      const fields = { kind: 'licence', title: `Licence of ${name}`, expiresOn: '' };
      const { body } = await call('POST', `/driver/${id}/document`, form(fields, new Blob([PDF])));
      return (body as DocumentRecord).id;
    };
    const [hers, his] = [await documentOf('Ann', ann.userId), await documentOf('Bob')];
    expect((await own('GET', '/my_driver/document')).body).toMatchObject([{ id: hers, title: 'Licence of Ann' }]);
    expect(await own('GET', `/my_driver/document/${hers}/file`)).toMatchObject({ status: 200, text: PDF });
    expect((await own('GET', `/my_driver/document/${his}/file`)).status).toBe(404);
  });

  it('of a driver tell when the first of them expires', async () => {
    const { id } = (await call('POST', '/driver', { name: 'Ann' })).body as { id: string };
    for (const expiresOn of ['2028-01-01', '2026-12-24', '']) {
      const fields = { kind: 'licence', title: 'Licence', expiresOn };
      expect((await call('POST', `/driver/${id}/document`, form(fields, new Blob([PDF])))).status).toBe(201);
    }
    expect((await call('GET', `/driver/${id}`)).body).toMatchObject({ documentsExpireOn: '2026-12-24' });
    const listed = (await call('GET', `/driver/${id}/document`)).body as DocumentRecord[];
    expect(listed.map(({ expiresOn }) => expiresOn)).toEqual(['2026-12-24', '2028-01-01', null]);
  });

  it('are recorded in the audit log when read, too', async () => {
    const { id } = (await add()).body as { id: string };
    await call('GET', `/device/${truck.id}/document/${id}/file`);
    const entries = await server.context.db.system
      .selectFrom('audit_entry')
      .select(['action', 'target_name'])
      .where('account_id', '=', owner.accountId)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual(['document.created', 'document.read']);
    expect(entries[0]?.target_name).toBe('Truck 1: Insurance 2027');
  });

  it('are served as downloads whose type no browser guesses and whose content none runs', async () => {
    const name = 'façade "x"\r\nSet-Cookie: a=1.html';
    const { id } = (await add(new Blob([`${PDF}<script>alert(1)</script>`], { type: 'text/html' }), name)).body as {
      id: string;
    };
    const { headers } = await call('GET', `/device/${truck.id}/document/${id}/file`);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w .-]+\.pdf"; filename\*=UTF-8''[\w%.-]+\.pdf$/,
    );
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('hostile uploads', () => {
  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a program', 'MZ\x90\x00'],
    ['an archive', 'PK\x03\x04'],
    ['something before a PDF', ` ${PDF}`],
    ['nothing', ''],
  ])('%s is no document, whatever its name and type say', async (_, content) => {
    const before = await onDisk();
    const answer = await add(new Blob([content], { type: 'application/pdf' }), 'document.pdf');
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'file-not-accepted', errors: [{ field: 'file' }] },
    ]);
    expect(await onDisk()).toEqual(before);
  });

  it.each([
    '../../../etc/cron.d/evil.pdf',
    '..\\..\\evil.pdf',
    '/etc/passwd',
    '.htaccess',
    'a/../../b',
    '\u202egnp.fdp',
    'CON',
  ])('the name %j leads nowhere', async name => {
    const { status, body } = await add(new Blob([PDF]), name);
    expect(status).toBe(201);
    const { fileName } = body as DocumentRecord;
    expect(fileName).toMatch(/^[^./\\\u202e][^/\\\u202e]*\.pdf$/);
    for (const each of await onDisk()) expect(each).toMatch(/^[0-9a-f]{32}$/);
  });

  it('limits the size and the form', async () => {
    const large = await add(new Blob([PDF, new Uint8Array(10 * 1024 * 1024)]));
    expect([large.status, large.body]).toMatchObject([
      413,
      { code: 'payload-too-large', params: { limitBytes: 10 * 1024 * 1024 } },
    ]);
    const two = form(INSURANCE, new Blob([PDF]));
    two.append('other', new Blob([PDF]), 'b.pdf');
    expect((await call('POST', `/device/${truck.id}/document`, two)).status).toBe(400);
    const many = form(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${n}`, 'x'])), new Blob([PDF]));
    expect((await call('POST', `/device/${truck.id}/document`, many)).status).toBe(400);
    expect((await call('POST', `/device/${truck.id}/document`, form(INSURANCE, null))).body).toMatchObject({
      errors: [{ field: 'file', message: 'Choose a file.' }],
    });
    const proto = form({ ...INSURANCE, constructor: 'x' }, new Blob([PDF]));
    proto.append('__proto__', 'polluted');
    expect((await call('POST', `/device/${truck.id}/document`, proto)).status).toBeLessThan(500);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('an incomplete upload creates no document', async () => {
    const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n${PDF}`;
    const response = await fetch(`${server.url}/api/v1/device/${truck.id}/document`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'multipart/form-data; boundary=x' },
      body,
    });
    expect(response.status).toBe(400);
  });

  it('an account’s documents stay within its quota', async () => {
    const file = new File([PDF], 'a.pdf');
    const documents = createDocuments(server.context, openFiles(server.context.config.dataDir), 2 * file.size);
    const session = await server.sessions.findByToken(owner.token);
    const by = { session: session!, author: systemAuthor(owner.accountId) };
    const of = { kind: 'vehicle', id: Number(truck.id), name: 'Truck 1' } as const;
    const fields = { kind: 'other', title: 'A', file } as const;
    await documents.create(by, of, fields);
    const before = await onDisk();
    const both = await Promise.allSettled([documents.create(by, of, fields), documents.create(by, of, fields)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    for (const each of both) if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'no-space' });
    expect(await onDisk()).toHaveLength(before.length + 1);
  });
});

describe('files', () => {
  it('that belong to no document are removed once they are old enough', async () => {
    const { db, config } = server.context;
    const files = openFiles(config.dataDir);
    await add();
    const kept = await addTo(await addNamedVehicle(server, owner.accountId, 'Truck 2'));
    const orphan = await files.write(new Uint8Array([1]));
    const fileOf = async (id: string) =>
      (await db.system.selectFrom('document').select('file').where('id', '=', Number(id)).executeTakeFirst())?.file;
    const keptFile = await fileOf(kept);
    await call('DELETE', `/device/${truck.id}`);
    expect(await sweepFiles(db, files)).toBe(0);
    const old = new Date(Date.now() - 7_200_000);
    for (const name of await onDisk()) await utimes(join(config.dataDir, 'documents', name), old, old);
    expect(await sweepFiles(db, files)).toBeGreaterThanOrEqual(2);
    const left = await onDisk();
    expect(left).toContain(keptFile);
    expect(left).not.toContain(orphan);
  });

  it('get safe names, whatever they were called', () => {
    const types = fc.constantFrom('application/pdf', 'image/png', 'image/jpeg');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), types, (name, type) => {
        const safe = safeFileName(name, type);
        expect(safe).not.toMatch(/[/\\\p{Cc}\p{Cf}]/u);
        expect(safe).not.toMatch(/^\./);
        expect(safe).toMatch(/\.(pdf|png|jpe?g)$/i);
        expect([...safe].length).toBeLessThanOrEqual(126);
      }),
    );
  });

  it('have the type of their content', () => {
    const bytes = (...values: number[]) => new Uint8Array(values);
    expect(documentTypeOf(bytes(0x25, 0x50, 0x44, 0x46, 0x2d, 0x31))).toBe('application/pdf');
    expect(documentTypeOf(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))).toBe('image/png');
    expect(documentTypeOf(bytes(0xff, 0xd8, 0xff, 0xe0))).toBe('image/jpeg');
    expect(documentTypeOf(bytes(0x25, 0x50, 0x44, 0x46))).toBeNull();
  });
});
