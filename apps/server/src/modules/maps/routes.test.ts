import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { callerOf, limit } from '../../../testing/organisation.ts';
import { streetMap } from '../../../testing/street-map.ts';
import { readChoice } from './map-choice.ts';

let server: TestHttpServer;
let owner: SignedIn;

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server, { operator: true });
});
afterAll(() => server.close());

const as = (who: SignedIn) => callerOf(server, who);
const policy = async (): Promise<string> =>
  (await fetch(`${server.url}/`)).headers.get('content-security-policy') ?? '';
const upload = (name: string, content: Buffer, { token }: { readonly token: string } = owner) =>
  fetch(`${server.url}/api/v1/map_file/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.pmtiles' },
    body: new Uint8Array(content),
  });
const range = (name: string, headers: Record<string, string>) =>
  fetch(`${server.url}/map/own/${name}`, { headers: { range: 'bytes=0-6', ...headers } });

const TILES = {
  kind: 'tiles',
  url: 'https://{s}.tiles.example.org/{z}/{x}/{y}.png?k={key}',
  attribution: '© Example',
  key: 'a secret',
} as const;

describe('the base map of the installation', () => {
  it('is the built-in one until someone chooses another', async () => {
    expect((await as(owner)('GET', '/base_map')).body).toEqual({ map: { kind: 'built-in' }, decidedBy: 'nobody' });
    expect((await as(owner)('GET', '/map_choice')).body).toMatchObject({ choice: { kind: 'built-in' }, files: [] });
  });

  it('changes immediately, with the next page’s policy, and survives a restart', async () => {
    expect((await as(owner)('PUT', '/map_choice', { kind: 'openfreemap' })).status).toBe(200);
    expect((await as(owner)('GET', '/base_map')).body).toMatchObject({
      map: { kind: 'style', hosts: ['https://tiles.openfreemap.org'] },
      decidedBy: 'settings',
    });
    const [connect, images] = ['connect-src', 'img-src'].map(name => new RegExp(`${name} ([^;]*)`));
    expect(connect?.exec(await policy())?.[1]).toBe("'self' https://tiles.openfreemap.org");
    expect(images?.exec(await policy())?.[1]).toContain('https://tiles.openfreemap.org');
    expect(await readChoice(server.context.db)).toEqual({ kind: 'openfreemap' });
    await as(owner)('PUT', '/map_choice', { kind: 'built-in' });
    expect(await policy()).not.toContain('openfreemap');
  });

  it('hides a key from people not signed in, from users who can’t choose the map, and from the settings page', async () => {
    expect((await as(owner)('PUT', '/map_choice', TILES)).status).toBe(200);
    expect((await as(owner)('PUT', '/map_choice', { ...TILES, key: undefined, attribution: null })).text).not.toContain(
      'secret',
    );
    const { map } = (await as(owner)('GET', '/base_map')).body as { readonly map: { readonly url: string } };
    expect(map.url).toBe('https://{s}.tiles.example.org/{z}/{x}/{y}.png?k=a%20secret');
    expect(await policy()).toContain('https://*.tiles.example.org');
    for (const path of ['/api/v1/public_base_map', '/api/v1/client_settings']) {
      const text = await (await fetch(server.url + path)).text();
      expect(text).not.toContain('secret');
      expect(text).not.toContain('tiles.example.org/{z}');
    }
    expect((await fetch(`${server.url}/api/v1/base_map`)).status).toBe(401);
    await as(owner)('PUT', '/map_choice', { ...TILES, key: null, url: 'https://tiles.example.org/{z}/{x}/{y}.png' });
    const open = (await server.call('GET', '/api/v1/public_base_map')).body;
    expect(open).toMatchObject({ map: { kind: 'tiles', url: 'https://tiles.example.org/{z}/{x}/{y}.png' } });
  });

  it.each([
    'javascript:alert(1)//{z}{x}{y}',
    'https://user:password@tiles.example.org/{z}/{x}/{y}.png',
    'https://tiles.example.org/{z}/{x}.png',
    "https://tiles.example.org; script-src 'unsafe-inline'/{z}/{x}/{y}",
    'https://tiles.example.org/{z}/{x}/{y}.png\n',
    'ftp://tiles.example.org/{z}/{x}/{y}.png',
    'https:///{z}/{x}/{y}.png',
  ])('refuses the address %j', async url => {
    const before = await policy();
    const { status } = await as(owner)('PUT', '/map_choice', { ...TILES, url: url.replace('\n', "' x") });
    expect(status).toBe(400);
    expect(await policy()).toBe(before);
  });

  it.each(["https://a.example 'unsafe-inline'", '*', 'https://*', 'data:', 'https://a.example/path'])(
    'refuses the host %j',
    async host => {
      const style = { kind: 'style', url: 'https://a.example/style.json', darkUrl: null, attribution: null };
      expect((await as(owner)('PUT', '/map_choice', { ...style, hosts: [host] })).status).toBe(400);
    },
  );

  it('can only be chosen by users who see all of the operator’s account', async () => {
    const others = [
      await signedIn(server),
      await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' }),
      await signedIn(server, { accountId: owner.accountId, role: 'admin' }),
    ];
    await limit(server.context, others[2] as SignedIn, { folders: [] });
    for (const other of others) {
      expect((await as(other)('PUT', '/map_choice', { kind: 'openfreemap' })).status).toBe(403);
      expect((await as(other)('GET', '/map_choice')).status).toBe(403);
      expect((await as(other)('DELETE', '/map_file/a.pmtiles')).status).toBe(403);
      expect((await upload('theirs.pmtiles', streetMap(), other)).status).toBe(403);
      expect((await as(other)('GET', '/base_map')).status).toBe(200);
    }
    expect(existsSync(join(server.context.config.dataDir, 'maps', 'theirs.pmtiles'))).toBe(false);
  });
});

describe('an own street map', () => {
  it('is uploaded, used, served in ranges to signed-in users, and deleted when another is chosen', async () => {
    const content = streetMap();
    const added = await upload('indiana.pmtiles', content);
    expect([added.status, await added.json()]).toEqual([
      201,
      { name: 'indiana.pmtiles', bytes: content.length, fault: null, bounds: [-87, 40, -86, 41], maxZoom: 0 },
    ]);
    expect((await as(owner)('PUT', '/map_choice', { kind: 'file', name: 'indiana.pmtiles' })).status).toBe(200);
    expect((await as(owner)('GET', '/base_map')).body).toMatchObject({
      map: { kind: 'file', name: 'indiana.pmtiles', bounds: [-87, 40, -86, 41], attribution: '© Test Streets' },
    });
    expect((await server.call('GET', '/api/v1/public_base_map')).body).toEqual({ map: { kind: 'built-in' } });

    const authorization = `Bearer ${owner.token}`;
    const piece = await range('indiana.pmtiles', { authorization });
    expect([piece.status, await piece.text()]).toEqual([206, 'PMTiles']);
    expect(piece.headers.get('cache-control')).toBe('no-store');
    expect((await range('indiana.pmtiles', {})).status).toBe(401);
    expect((await range('indiana.pmtiles', { authorization: 'Bearer no' })).status).toBe(401);
    expect((await range('..%2f..%2fetc%2fpasswd', { authorization })).status).toBe(404);

    expect((await as(owner)('DELETE', '/map_file/indiana.pmtiles')).status).toBe(409);
    await as(owner)('PUT', '/map_choice', { kind: 'built-in' });
    expect((await as(owner)('DELETE', '/map_file/indiana.pmtiles')).status).toBe(200);
    expect((await range('indiana.pmtiles', { authorization })).status).toBe(404);
  });

  it('is found when copied into the folder, and replaced by the built-in map when it is gone', async () => {
    const folder = join(server.context.config.dataDir, 'maps');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'dropped.pmtiles'), streetMap());
    await writeFile(join(folder, 'notes.txt'), 'no map');
    await writeFile(join(folder, 'broken.pmtiles'), 'no map either');
    expect((await as(owner)('GET', '/map_choice')).body).toMatchObject({
      files: [
        { name: 'broken.pmtiles', fault: 'not-pmtiles' },
        { name: 'dropped.pmtiles', fault: null },
      ],
    });
    expect((await as(owner)('PUT', '/map_choice', { kind: 'file', name: 'broken.pmtiles' })).status).toBe(422);
    expect((await as(owner)('PUT', '/map_choice', { kind: 'file', name: 'none.pmtiles' })).status).toBe(404);
    await as(owner)('PUT', '/map_choice', { kind: 'file', name: 'dropped.pmtiles' });
    await writeFile(join(folder, 'dropped.pmtiles'), 'overwritten by something else');
    expect((await as(owner)('GET', '/base_map')).body).toMatchObject({ map: { kind: 'built-in' } });
  });

  it.each([
    ['not-pmtiles', Buffer.from('<!doctype html>')],
    ['not-pmtiles', Buffer.alloc(0)],
    ['cut-off', streetMap().subarray(0, -10)],
    ['no-vector-tiles', streetMap({ tileType: 2 })],
    ['compression', streetMap({ compression: 3 })],
    ['bounds', streetMap({ bounds: [10, 40, -10, 41] })],
    ['schema', streetMap({ layers: ['transportation', 'landcover'] })],
  ] as const)('is refused as %s before it stands in the folder', async (fault, content) => {
    const answer = await upload('refused.pmtiles', content);
    expect([answer.status, await answer.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'map-file-wrong', params: { fault } }),
    ]);
    const { dataDir } = server.context.config;
    expect(existsSync(join(dataDir, 'maps', 'refused.pmtiles'))).toBe(false);
    expect(await readdir(join(dataDir, 'uploads'))).toEqual([]);
  });

  it.each(['..%2fescape.pmtiles', 'page.html', '.hidden.pmtiles', 'a b.pmtiles'])('is not stored as %s', async name => {
    expect((await upload(name, streetMap())).status).toBe(404);
  });
});

describe('the environment', () => {
  it('overrides the choice, says so, and can’t be changed here', async () => {
    const other = await startHttpServer({
      config: { map: { styleUrl: 'https://maps.example.com/style.json?key=1', tileUrl: null } },
    });
    try {
      const call = callerOf(other, await signedIn(other, { operator: true }));
      expect((await call('GET', '/base_map')).body).toMatchObject({
        map: { kind: 'style', url: 'https://maps.example.com/style.json?key=1' },
        decidedBy: 'environment',
      });
      expect((await call('GET', '/map_choice')).body).toMatchObject({ fromEnvironment: true });
      expect((await call('PUT', '/map_choice', { kind: 'built-in' })).status).toBe(409);
      expect((await other.call('GET', '/api/v1/public_base_map')).text).not.toContain('key=1');
    } finally {
      await other.close();
    }
  });
});
