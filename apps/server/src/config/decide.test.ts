import { resolve } from 'node:path';
import { TRACKERS } from '@milepost/contract';
import { expect, it } from 'vitest';
import { type Config, GATEWAY_NAMES } from './config.ts';
import { decide, localUrl } from './decide.ts';
import type { Environment } from './env.ts';

function configOf(env: Environment): Config {
  const decision = decide(env, '1.2.3');
  if ('problems' in decision) throw new Error(decision.problems.join('\n'));
  return decision.config;
}

function problemsOf(env: Environment): readonly string[] {
  const decision = decide(env, '1.2.3');
  return 'problems' in decision ? decision.problems : [];
}

it('defaults to a local server with every gateway', () => {
  expect(configOf({})).toEqual({
    version: '1.2.3',
    http: { host: '127.0.0.1', port: 8080, publicUrl: 'http://127.0.0.1:8080', trustedProxies: [] },
    dataDir: resolve('data'),
    databaseUrl: null,
    natsUrl: null,
    mqttPort: 1883,
    gateways: new Map(GATEWAY_NAMES.map(name => [name, TRACKERS[name].port])),
    demo: 'auto',
    owner: null,
    map: { styleUrl: null, tileUrl: null },
    smtpUrl: null,
    webhooks: { http: false, networks: [] },
    development: false,
    geocoderUrl: null,
    sealAfterDays: 7,
    metricsToken: null,
    traces: null,
    logLevel: 'info',
  });
});

it('reads gateways with and without a port, and turns listeners off', () => {
  expect(configOf({ GATEWAYS: 'teltonika:6000, gt06' }).gateways).toEqual(
    new Map([
      ['teltonika', 6000],
      ['gt06', 5023],
    ]),
  );
  expect(configOf({ GATEWAYS: 'off', MQTT_PORT: 'off' })).toMatchObject({ gateways: new Map(), mqttPort: null });
});

it('accepts port 0, any free port, for every listener', () => {
  const config = configOf({ PORT: '0', MQTT_PORT: '0', GATEWAYS: 'teltonika:0,gt06:0,osmand:0' });
  expect([config.http.port, config.mqttPort, ...config.gateways.values()]).toEqual([0, 0, 0, 0, 0]);
});

it('reports all errors at once, each with the variable’s name', () => {
  const problems = problemsOf({
    PORT: 'eighty',
    MQTT_PORT: '70000',
    GATEWAYS: 'teltonica,gt06:5023:1',
    DEMO: 'yes',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://root:secret@db/fleet',
    NATS_URL: 'http://bus',
    OTEL_TRACES_SAMPLER_ARG: 'half',
    SEAL_AFTER_DAYS: '1',
    METRICS_TOKEN: 'secret',
    OWNER_NAME: 'a b',
    OWNER_PASSWORD: 'short',
    MAP_TILE_URL: 'https://tiles.example.org/',
  });
  expect(problems.map(sentence => sentence.split(/ is| names| must| won/)[0]).sort()).toEqual(
    [
      'PORT',
      'MQTT_PORT',
      'GATEWAYS',
      'The port of gt06 in GATEWAYS',
      'DEMO',
      'LOG_LEVEL',
      'DATABASE_URL',
      'NATS_URL',
      'OTEL_TRACES_SAMPLER_ARG',
      'OWNER_NAME',
      'OWNER_PASSWORD',
      'MAP_TILE_URL',
      'METRICS_TOKEN',
      'SEAL_AFTER_DAYS',
    ].sort(),
  );
  for (const sentence of problems) expect(sentence).toMatch(/[.!]\)?$/);
});

it('never repeats an address, which may contain a password', () => {
  expect(problemsOf({ DATABASE_URL: 'mysql://root:secret@db/fleet' }).join()).not.toContain('secret');
});

it('refuses one port for two listeners', () => {
  expect(problemsOf({ PORT: '5027' })).toEqual([
    'Port 5027 is used for PORT and the teltonika gateway (GATEWAYS). Each needs its own.',
  ]);
});

it('trusts only the configured proxies, and refuses mistyped addresses', () => {
  const named = ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'];
  expect(configOf({ TRUSTED_PROXIES: named.join(', ') }).http.trustedProxies).toEqual(named);
  for (const TRUSTED_PROXIES of ['proxy', '10.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0.1,', '10.0.0.0/8/8']) {
    expect(problemsOf({ TRUSTED_PROXIES })).toHaveLength(1);
  }
});

it('reads what webhooks may do, and refuses mistyped networks', () => {
  const config = configOf({ WEBHOOK_HTTP: 'on', WEBHOOK_NETWORKS: '10.1.0.0/16, fd00::/8' });
  expect(config.webhooks).toEqual({ http: true, networks: ['10.1.0.0/16', 'fd00::/8'] });
  expect(problemsOf({ WEBHOOK_HTTP: 'yes', WEBHOOK_NETWORKS: 'office' })).toHaveLength(2);
});

it('refuses an owner without a name or password', () => {
  expect(problemsOf({ OWNER_NAME: 'ann' })).toEqual([
    'OWNER_NAME is set without OWNER_PASSWORD. Set both, or neither.',
  ]);
  expect(problemsOf({ OWNER_PASSWORD: 'long enough for all' })).toHaveLength(1);
});

it('refuses a demo with a known password where others can reach it, unless it is public', () => {
  expect(problemsOf({ DEMO: 'on', HOST: '0.0.0.0' })[0]).toContain('DEMO=public');
  expect(problemsOf({ DEMO: 'public', HOST: '0.0.0.0' })).toEqual([]);
  for (const HOST of ['127.0.0.1', '127.8.8.8', 'localhost', '::1'])
    expect(problemsOf({ DEMO: 'on', HOST })).toEqual([]);
});

it('returns an address that can be opened on this machine', () => {
  expect(localUrl('0.0.0.0', 80)).toBe('http://localhost:80');
  expect(localUrl('::1', 8080)).toBe('http://[::1]:8080');
});

it('takes the addresses of the live bus, with a database of their own, and for no demo', () => {
  const env = { NATS_URL: 'nats://bus:4222', DATABASE_URL: 'postgres://db/fleet' };
  expect(configOf(env).natsUrl).toBe('nats://bus:4222');
  expect(configOf({ ...env, NATS_URL: 'nats://a:4222,tls://b:4222' }).natsUrl).toBe('nats://a:4222,tls://b:4222');
  expect(problemsOf({ ...env, NATS_URL: 'nats://a:4222,http://ann:secret@b' })).toEqual([
    expect.stringContaining('nats:// or tls://'),
  ]);
  expect(problemsOf({ ...env, NATS_URL: 'http://ann:secret@b' }).join()).not.toContain('secret');
  expect(problemsOf({ NATS_URL: 'nats://a' })).toEqual([expect.stringContaining('set DATABASE_URL')]);
  for (const DEMO of ['on', 'public']) {
    expect(problemsOf({ ...env, DEMO })).toEqual([expect.stringContaining('a demo runs on one server')]);
  }
});
