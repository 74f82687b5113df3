import { brandSchema, DEFAULT_COLOURS, tenantSchema } from '@milepost/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { type Caller, callerOf } from '../../../testing/organisation.ts';
import { testPicture } from '../../../testing/picture.ts';

let server: TestHttpServer;
let operator: SignedIn;
let owner: SignedIn;
let call: Caller;
beforeAll(async () => {
  server = await startHttpServer({
    config: { http: { host: '127.0.0.1', port: 0, publicUrl: 'https://fleet.example.com', trustedProxies: [] } },
  });
  operator = await signedIn(server, { operator: true });
  owner = await signedIn(server);
  call = callerOf(server, owner);
});
afterAll(() => server.close());

const id = () => String(owner.accountId);
const picture = async (kind: 'logo' | 'splash', file: Blob): Promise<{ status: number; body: never }> => {
  const body = new FormData();
  body.append('file', file, '../../evil.png');
  return call('PATCH', `/tenant_${kind}/${id()}`, body);
};
const tenantOf = (body: unknown) => tenantSchema.parse((body as { tenant: unknown }).tenant);
/** A browser's request to this host. */
async function underHost(host: string, url: string): Promise<unknown> {
  return (await server.http.fastify.inject({ url, headers: { host } })).json();
}

describe('a tenant', () => {
  it('[R7.28] [R3.07] [R9.07] has the default colors until it chooses others', async () => {
    const { status, body } = await call('GET', '/tenant');
    expect(status).toBe(200);
    expect(tenantOf(body)).toEqual({
      id: id(),
      name: owner.userName,
      logoUrl: null,
      splashScreenUrl: null,
      isTenantSplashImg: false,
      primaryColour: '#002e5c',
      secondaryColour: '#26a69a',
      activeColour: '#01579b',
      hostName: null,
    });
    expect(DEFAULT_COLOURS.activeColour).toBe('#01579b');
  });

  it('[R7.29] accepts its name and colors, and no other fields', async () => {
    const change = { name: 'Ann Freight', primaryColour: ' #AA0000 ', activeColour: '#123456' };
    const extra = { id: '1', operator: true, demo: true, logoUrl: '../../etc/passwd', account_id: 1 };
    const { status, body } = await call('PATCH', `/tenant/${id()}`, { ...change, ...extra });
    expect(status).toBe(200);
    expect(tenantOf(body)).toMatchObject({ id: id(), name: 'Ann Freight', primaryColour: '#aa0000', logoUrl: null });
    expect((await call('GET', '/read_me')).body).toMatchObject({ account: { name: 'Ann Freight', operator: false } });
    for (const colour of ['red', '#fff', 'url(x)', '#12345g', 7]) {
      expect(await call('PATCH', `/tenant/${id()}`, { secondaryColour: colour })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'secondaryColour' }] },
      });
    }
    expect(await call('PATCH', `/tenant/${operator.accountId}`, { name: 'Mine' })).toMatchObject({ status: 404 });
  });

  it('[R7.30] [R7.31] re-encodes logo and splash image, and shows the splash only while there is one', async () => {
    const logo = tenantOf((await picture('logo', await testPicture('png'))).body).logoUrl ?? '';
    expect(logo).toMatch(/^[0-9a-f]{32}\.webp$/);
    const image = await server.call('GET', `/api/v1/uploaded-img/${logo}`);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/webp']);

    await call('PATCH', `/tenant/${id()}`, { isTenantSplashImg: true });
    expect(tenantOf((await call('GET', '/tenant')).body).isTenantSplashImg).toBe(false);
    const splash = tenantOf((await picture('splash', await testPicture('jpeg'))).body);
    expect(splash).toMatchObject({ isTenantSplashImg: true, splashScreenUrl: expect.stringMatching(/\.webp$/) });
    expect(tenantOf((await call('DELETE', `/tenant_splash/${id()}`)).body)).toMatchObject({
      isTenantSplashImg: false,
      splashScreenUrl: null,
    });
    const next = tenantOf((await picture('logo', await testPicture('webp'))).body).logoUrl;
    expect(next).not.toBe(logo);
    expect((await server.call('GET', `/api/v1/uploaded-img/${logo}`)).status).toBe(404);
  });

  it('[R7.30] refuses files that are not images, whatever their type claims', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const content of [svg, '%PDF-1.7', 'GIF89a', '', '\x89PNG\r\n\x1a\nnot really']) {
      const answer = await picture('logo', new Blob([content], { type: 'image/png' }));
      expect([answer.status, answer.body]).toMatchObject([400, { code: 'not-an-image' }]);
    }
    const large = await picture('logo', new Blob([new Uint8Array(2 * 1024 * 1024 + 1)]));
    expect(large.status).toBe(400);
    const huge = await picture('logo', new Blob([new Uint8Array(11 * 1024 * 1024)]));
    expect(huge.status).toBe(413);
    expect((await call('PATCH', `/tenant_logo/${id()}`, { file: 'x' })).status).toBe(415);
    const form = new FormData();
    form.append('name', 'Stolen');
    expect((await call('PATCH', `/tenant/${id()}`, form)).status).toBe(415);
  });
});

describe('under a host name', () => {
  it('the pages before sign-in have the tenant’s branding, and reveal nothing else', async () => {
    expect((await call('PATCH', `/tenant/${id()}`, { hostName: 'Ann.Example.com' })).status).toBe(200);
    const { tenant } = (await underHost('ann.example.com', '/api/v1/tenant_of_host')) as { tenant: object };
    expect(brandSchema.strict().parse(tenant)).toMatchObject({ name: 'Ann Freight', primaryColour: '#aa0000' });
    const other = (await underHost('elsewhere.example.com', '/api/v1/tenant_of_host')) as { tenant: object };
    expect(other.tenant).toMatchObject({ name: operator.userName });
  });

  it('install manifest and icons are the tenant’s, too', async () => {
    await picture('logo', await testPicture('png'));
    const manifest = (await underHost('ann.example.com', '/manifest.webmanifest')) as {
      name: string;
      theme_color: string;
      icons: { src: string; sizes: string; purpose: string }[];
    };
    expect(manifest).toMatchObject({ name: 'Ann Freight', theme_color: '#aa0000', start_url: '/' });
    expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
      '192x192 any',
      '192x192 maskable',
      '512x512 any',
      '512x512 maskable',
    ]);
    for (const { src, sizes } of manifest.icons) {
      const icon = await server.http.fastify.inject({ url: src, headers: { host: 'ann.example.com' } });
      expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/png']);
      const { width, height } = await sharp(icon.rawPayload).metadata();
      expect(`${width}x${height}`).toBe(sizes);
    }
    const foreign = await server.http.fastify.inject({ url: manifest.icons[0]?.src ?? '' });
    expect(foreign.statusCode).toBe(404);
    expect(await underHost('elsewhere.example.com', '/manifest.webmanifest')).toMatchObject({
      name: 'Milepost',
      icons: expect.arrayContaining([expect.objectContaining({ src: '/icons/icon-192.png' })]),
    });
  });

  it('nobody can claim another tenant’s host name, or the installation’s', async () => {
    const rival = await signedIn(server);
    const asRival = callerOf(server, rival);
    for (const hostName of ['ann.example.com', 'fleet.example.com']) {
      expect(await asRival('PATCH', `/tenant/${rival.accountId}`, { hostName })).toMatchObject({
        status: 409,
        body: { code: 'host-name-taken', errors: [{ field: 'hostName' }] },
      });
    }
    for (const hostName of ['https://x.example', 'a b.example', 'x.example:80', 'localhost', '-x.example']) {
      expect(await asRival('PATCH', `/tenant/${rival.accountId}`, { hostName })).toMatchObject({ status: 400 });
    }
    const asOperator = callerOf(server, operator);
    const own = await asOperator('PATCH', `/tenant/${operator.accountId}`, { hostName: 'fleet.example.com' });
    expect(own.status).toBe(200);
  });
});
