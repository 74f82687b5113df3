import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { fieldErrorOf, newPasswordSchema, TRACKERS, userNameSchema } from '@milepost/contract';
import type { ZodType } from 'zod';
import { type Config, GATEWAY_NAMES, type GatewayName, LOG_LEVELS } from './config.ts';
import type { Environment } from './env.ts';

export type Decision = { readonly config: Config } | { readonly problems: readonly string[] };

/** Reads the configuration from the environment. Returns it, or a list of all errors, one sentence each. */
export function decide(env: Environment, version: string): Decision {
  const problems: string[] = [];
  const wrong = (sentence: string): null => {
    problems.push(sentence);
    return null;
  };

  const portOf = (name: string, text: string): number | null =>
    /^\d{1,5}$/.test(text) && Number(text) <= 65_535
      ? Number(text)
      : wrong(`${name} is "${text}" but must be a port number from 0 to 65535 (0 takes any free port).`);

  const oneOf = <const T extends string>(name: keyof Environment, words: readonly T[], fallback: T): T => {
    const text = env[name];
    if (text === undefined) return fallback;
    return words.find(word => word === text) ?? wrong(`${name} is "${text}" but must be ${either(words)}.`) ?? fallback;
  };

  const urlOf = (name: keyof Environment, schemes: readonly string[]): string | null => {
    const text = env[name];
    if (text === undefined) return null;
    const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : null;
    // The error does not repeat the value, because such addresses contain passwords.
    return scheme !== null && schemes.includes(scheme)
      ? text
      : wrong(`${name} must be an address that begins with ${either(schemes.map(each => `${each}://`))}.`);
  };

  const host = env.HOST ?? '127.0.0.1';
  if (!/^[\w.:%-]+$/.test(host)) wrong(`HOST is "${host}" but must be an IP address or a host name.`);
  const port = portOf('PORT', env.PORT ?? '8080') ?? 0;
  const mqttPort = env.MQTT_PORT === 'off' ? null : portOf('MQTT_PORT', env.MQTT_PORT ?? '1883');
  const gateways = gatewaysOf(env.GATEWAYS, portOf, wrong);
  refuseSharedPorts(port, mqttPort, gateways, wrong);

  const demo = oneOf('DEMO', ['auto', 'on', 'off', 'public'], 'auto');
  if (demo === 'on' && !isLoopback(host)) wrong(openDemoSentence(host));

  const tileUrl = urlOf('MAP_TILE_URL', ['http', 'https']);
  if (tileUrl && !['{z}', '{x}', '{y}'].every(part => tileUrl.includes(part))) {
    wrong('MAP_TILE_URL must contain {z}, {x} and {y}, as in https://tiles.example.org/{z}/{x}/{y}.png.');
  }

  const config: Config = {
    version,
    http: {
      host,
      port,
      publicUrl: (urlOf('PUBLIC_URL', ['http', 'https']) ?? localUrl(host, port)).replace(/\/+$/, ''),
      trustedProxies: networksOf('TRUSTED_PROXIES', env, wrong),
    },
    dataDir: resolve(env.DATA_DIR ?? 'data'),
    databaseUrl: urlOf('DATABASE_URL', ['postgresql', 'postgres']),
    natsUrl: natsUrlOf(env, wrong),
    mqttPort,
    gateways,
    demo,
    owner: ownerOf(env, wrong),
    map: { styleUrl: urlOf('MAP_STYLE_URL', ['http', 'https']), tileUrl },
    smtpUrl: urlOf('SMTP_URL', ['smtp', 'smtps']),
    webhooks: {
      http: oneOf('WEBHOOK_HTTP', ['on', 'off'], 'off') === 'on',
      networks: networksOf('WEBHOOK_NETWORKS', env, wrong),
    },
    development: env.NODE_ENV === 'development',
    geocoderUrl: urlOf('GEOCODER_URL', ['http', 'https']),
    sealAfterDays: sealAfterDaysOf(env.SEAL_AFTER_DAYS, wrong) ?? SEAL_AFTER_DAYS,
    metricsToken: metricsTokenOf(env.METRICS_TOKEN, wrong),
    traces: tracesOf(urlOf('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https']), env.OTEL_TRACES_SAMPLER_ARG, wrong),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
  };
  return problems.length === 0 ? { config } : { problems };
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

export function openDemoSentence(host: string): string {
  return `HOST is "${host}", which other machines can reach, but the demo’s password is public. Set DEMO=off with OWNER_NAME and OWNER_PASSWORD to run your own fleet, DEMO=public for a read-only demo, or HOST=127.0.0.1.`;
}

/** The address to open on this machine. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

type PortOf = (name: string, text: string) => number | null;
type Wrong = (sentence: string) => null;

function gatewaysOf(text: string | undefined, portOf: PortOf, wrong: Wrong): Map<GatewayName, number> {
  if (text === 'off') return new Map();
  const gateways = new Map<GatewayName, number>();
  for (const entry of text?.split(',').map(part => part.trim()) ?? GATEWAY_NAMES) {
    const [, name, portText] = /^(\w+)(?::(.*))?$/.exec(entry) ?? [];
    const gateway = GATEWAY_NAMES.find(each => each === name);
    if (!gateway) {
      wrong(
        `GATEWAYS names "${entry}" but must be off or a list of ${either(GATEWAY_NAMES)}, each with its port if you like (gt06:5023).`,
      );
    } else if (gateways.has(gateway)) {
      wrong(`GATEWAYS names ${gateway} twice.`);
    } else {
      const port =
        portText === undefined ? TRACKERS[gateway].port : portOf(`The port of ${gateway} in GATEWAYS`, portText);
      if (port !== null) gateways.set(gateway, port);
    }
  }
  return gateways;
}

function refuseSharedPorts(port: number, mqttPort: number | null, gateways: Map<GatewayName, number>, wrong: Wrong) {
  const users = new Map<number, string[]>();
  const entries: [string, number | null][] = [
    ['PORT', port],
    ['MQTT_PORT', mqttPort],
  ];
  for (const [name, gatewayPort] of gateways) entries.push([`the ${name} gateway (GATEWAYS)`, gatewayPort]);
  for (const [name, number] of entries) if (number) users.set(number, [...(users.get(number) ?? []), name]);
  for (const [number, names] of users) {
    if (names.length > 1) wrong(`Port ${number} is used for ${names.join(' and ')}. Each needs its own.`);
  }
}

function networksOf(name: 'TRUSTED_PROXIES' | 'WEBHOOK_NETWORKS', env: Environment, wrong: Wrong): string[] {
  const networks = env[name]?.split(',').map(part => part.trim()) ?? [];
  for (const network of networks) {
    const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
    const version = isIP(address);
    if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128)) {
      wrong(`${name} names "${network}" but must be a list of IP addresses or networks such as 10.0.0.0/8.`);
    }
  }
  return networks;
}

const SEAL_AFTER_DAYS = 7;
/** The part of messages that are traced. */
const TRACED = 0.01;

/** Positions may arrive a day or two late, and a packed day must be unpacked for each of them. */
function sealAfterDaysOf(text: string | undefined, wrong: Wrong): number | null {
  if (text === undefined) return SEAL_AFTER_DAYS;
  const days = Number(text);
  return Number.isInteger(days) && days >= 2 && days <= 3650
    ? days
    : wrong('SEAL_AFTER_DAYS must be a number of days from 2 to 3650.');
}

/** RFC 6750 section 2.1: the characters allowed in a bearer token. */
function metricsTokenOf(text: string | undefined, wrong: Wrong): string | null {
  if (text === undefined || /^[\w.~+/-]{16,}=*$/.test(text)) return text ?? null;
  return wrong('METRICS_TOKEN must have at least 16 letters and digits, such as `openssl rand -hex 16` makes.');
}

/** The variables are OpenTelemetry's own: the path of the signal is added to the address of the collector. */
function tracesOf(endpoint: string | null, ratioText: string | undefined, wrong: Wrong): Config['traces'] {
  const ratio = ratioText === undefined ? TRACED : Number(ratioText);
  if (!(ratio >= 0 && ratio <= 1)) return wrong('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.');
  return endpoint === null ? null : { url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, ratio };
}

/** Several servers share a database, whose files they share, too; a demo has one, which drives its fleet. */
function natsUrlOf({ DATABASE_URL, DEMO, NATS_URL }: Environment, wrong: Wrong): string | null {
  if (NATS_URL === undefined) return null;
  if (DATABASE_URL === undefined) return wrong('NATS_URL is set, so the servers need one database: set DATABASE_URL.');
  if (DEMO === 'on' || DEMO === 'public') {
    return wrong('NATS_URL is set, but a demo runs on one server. Unset NATS_URL, or set DEMO=off.');
  }
  const isOne = (text: string): boolean => URL.canParse(text) && ['nats:', 'tls:'].includes(new URL(text).protocol);
  // The error does not repeat the value, because such addresses contain passwords.
  return NATS_URL.split(',').every(isOne)
    ? NATS_URL
    : wrong('NATS_URL must be addresses that begin with nats:// or tls://, separated by commas.');
}

function ownerOf(env: Environment, wrong: Wrong): Config['owner'] {
  if (env.OWNER_NAME === undefined && env.OWNER_PASSWORD === undefined) return null;
  if (env.OWNER_NAME === undefined) return wrong('OWNER_PASSWORD is set without OWNER_NAME. Set both, or neither.');
  if (env.OWNER_PASSWORD === undefined) return wrong('OWNER_NAME is set without OWNER_PASSWORD. Set both, or neither.');
  const advice = (name: string, schema: ZodType, value: string): void => {
    for (const issue of schema.safeParse(value).error?.issues ?? [])
      wrong(`${name} is not valid. ${fieldErrorOf(issue).message}`);
  };
  advice('OWNER_NAME', userNameSchema, env.OWNER_NAME);
  advice('OWNER_PASSWORD', newPasswordSchema, env.OWNER_PASSWORD);
  return { name: env.OWNER_NAME, password: env.OWNER_PASSWORD };
}

function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
