import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRACKERS } from '@milepost/contract';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../launch/install.mjs';
import { SERVER_FLAGS } from '../launch/server-flags.ts';
import { filesOfRelease } from '../release/contents.ts';
import { isIgnored, readDockerfile } from './dockerfile.ts';

const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const image = readDockerfile(read('Dockerfile'));

it('the image runs the server as a user who is not root, on Milepost’s Node, and passes signals to it', () => {
  expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(image.command).toEqual(['node_modules/node/bin/node', ...SERVER_FLAGS, 'apps/server/src/main.ts']);
  expect(image.healthCheck[0]).toBe('node_modules/node/bin/node');
  // The root is read-only, so what is kept for the next start lies in the volume.
  expect(image.env.NODE_COMPILE_CACHE).toMatch(new RegExp(`^${image.volumes[0]}/`));
  expect([image.stopSignal, image.volumes, image.env.DEMO]).toEqual(['SIGTERM', ['/data'], 'off']);
});

it('the image has all of a release, and nothing that a running Milepost leaves in the folder', () => {
  const ignore = read('.dockerignore');
  const shipped = [...filesOfRelease(), 'release.json', 'milepost', 'node_modules/pg/lib/index.js'];
  expect(shipped.filter(file => isIgnored(ignore, file))).toEqual(
    shipped.filter(file => /^(Dockerfile|compose.*\.yaml)$/.test(file)),
  );
  const left = [
    '.git/config',
    '.env',
    'milepost.env',
    'data/database/PG_VERSION',
    'data/backup/key',
    'data/owner-link',
  ];
  expect(left.filter(file => !isIgnored(ignore, file))).toEqual([]);
});

interface Service {
  readonly [option: string]: unknown;
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

it.each(['compose.yaml', 'compose.postgres.yaml'])(
  '%s locks its services up, has no secret, and opens every port of trackers',
  name => {
    const { services } = parse(read(name)) as { services: Record<string, Service> };
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({
        read_only: true,
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
      });
      expect(service.tmpfs).toContain('/tmp');
      for (const [variable, value] of Object.entries(service.environment ?? {})) {
        if (/PASSWORD|URL|KEY|TOKEN/.test(variable)) expect(value).toMatch(/\$\{POSTGRES_PASSWORD:\?/);
      }
    }
    expect(services.milepost).toMatchObject({ init: true, cap_drop: ['ALL'], stop_grace_period: '45s' });
    const ports = Object.values(TRACKERS).flatMap(({ port, over }) =>
      over.split('+').map(over => `${port}:${port}/${over === 'udp' ? 'udp' : 'tcp'}`),
    );
    expect(services.milepost?.ports?.toSorted()).toEqual(['127.0.0.1:8080:8080/tcp', ...ports].toSorted());
  },
);

it('compose.nodes.yaml runs three servers alike on one database, one folder and a cluster of three buses, with no secret', () => {
  const { networks, services } = parse(read('compose.nodes.yaml'), { merge: true }) as {
    services: Record<string, Service & { readonly command?: readonly string[]; readonly networks: readonly string[] }>;
    networks: Record<string, unknown>;
  };
  expect(networks.inside).toEqual({ internal: true });
  const of = (name: string) => [1, 2, 3].map(n => services[`${name}-${n}`]);
  const tracked = Object.values(TRACKERS).flatMap(({ port, over }) =>
    over.split('+').map(over => `${port}:${port}/${over === 'udp' ? 'udp' : 'tcp'}`),
  );
  const [{ ports: _, ...first } = {}] = of('milepost');
  for (const [n, server] of of('milepost').entries()) {
    const { ports, ...rest } = server ?? {};
    expect(rest).toEqual(first);
    const address = `\${ADDRESS_${n + 1}:?is in the file .env}:`;
    const web = `127.0.0.1:${8081 + n}:8080/tcp`;
    expect(ports?.toSorted()).toEqual([web, ...tracked.map(port => address + port)].toSorted());
  }
  expect(first).toMatchObject({
    ...{ init: true, cap_drop: ['ALL'], stop_grace_period: '45s', volumes: ['data:/data'] },
    environment: {
      DATABASE_URL: expect.stringMatching(/\$\{POSTGRES_PASSWORD:\?/),
      NATS_URL: 'nats://nats-1:4222,nats://nats-2:4222,nats://nats-3:4222',
    },
  });
  for (const [n, bus] of of('nats').entries()) {
    expect(bus).toMatchObject({ networks: ['inside'] });
    expect(bus?.ports).toBeUndefined();
    const others = [1, 2, 3].filter(each => each !== n + 1).map(each => `nats://nats-${each}:6222`);
    expect(bus?.command?.slice(-2)).toEqual(['--routes', others.join()]);
  }
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      read_only: true,
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
    });
  }
});

it('refuses a Dockerfile with a step that the test would pass over', () => {
  expect(() => readDockerfile('FROM debian\nADD a b\n')).toThrow('This instruction is not known: ADD a b');
  expect(() => readDockerfile('FROM debian\nCMD node main.ts\n')).toThrow();
});
