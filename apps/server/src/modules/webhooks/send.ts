import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookFailure } from '@milepost/contract';
import type { AddressRule } from './addresses.ts';

/** What came of a try. */
export interface Outcome {
  /** Null: delivered. */
  readonly failure: WebhookFailure | null;
  readonly status: number | null;
  readonly tookMs: number;
  readonly answer: string | null;
}

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface SendParts {
  readonly rule: AddressRule;
  /** Whether `http://` is allowed. */
  readonly http: boolean;
  readonly timeoutMs?: number;
  readonly resolve?: Resolve;
  /** Aborted when the server stops. */
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 10_000;
/** Read from an answer; the rest is not awaited. */
const ANSWER_BYTES = 2048;
const ANSWER_CHARACTERS = 300;
export const REFUSED_ADDRESS = 'MILEPOST_REFUSED_ADDRESS';
export const TIMED_OUT = 'MILEPOST_TIMED_OUT';

/**
 * Sends a request over a connection of its own. The address is checked where the connection is made, after the name was
 * resolved and on what is then connected to, so a name that changes its address in between leads nowhere else.
 * Redirects are not followed. Never throws, except when `signal` is aborted.
 */
export async function send({ url, headers, body }: Post, parts: SendParts): Promise<Outcome> {
  const began = performance.now();
  const over = (
    failure: WebhookFailure | null,
    status: number | null = null,
    answer: string | null = null,
  ): Outcome => ({
    ...{ failure, status, answer },
    tookMs: Math.round(performance.now() - began),
  });
  const target = new URL(url);
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
  // An address instead of a name is never looked up.
  if (isIP(host) !== 0 && !parts.rule.allows(host)) return over('address-refused');
  if (target.protocol !== 'https:' && !parts.http) return over('address-refused');
  try {
    const { status, answer } = await exchange(target, { headers, body }, parts);
    return over(failureOfStatus(status), status, answer);
  } catch (error) {
    parts.signal?.throwIfAborted();
    return over(failureOfError(error));
  }
}

interface Answered {
  readonly status: number;
  readonly answer: string;
}

function exchange(target: URL, { headers, body }: Omit<Post, 'url'>, parts: SendParts): Promise<Answered> {
  const { rule, resolve = lookup, signal, timeoutMs = TIMEOUT_MS } = parts;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const { request } = target.protocol === 'https:' ? https : http;
  const { promise, reject, resolve: answered } = Promise.withResolvers<Answered>();
  const asked = request(target, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(bytes.length), connection: 'close' },
    agent: false,
    lookup: guarded(resolve, rule),
    ...(signal && { signal }),
  });
  let endAnswer: (() => void) | null = null;
  // Of everything: the name, the connection, and an answer that comes drop by drop, whose code has come.
  const timer = setTimeout(() => {
    endAnswer?.();
    asked.destroy(coded(TIMED_OUT));
  }, timeoutMs);
  asked.on('error', reject);
  asked.on('response', response => {
    const status = response.statusCode ?? 0;
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (): void => answered({ status, answer: cut(Buffer.concat(chunks)) });
    endAnswer = done;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length < ANSWER_BYTES) return;
      done();
      response.destroy();
    });
    response.on('end', done);
    response.on('error', done);
  });
  asked.end(bytes);
  return promise.finally(() => clearTimeout(timer));
}

/** Refuses a name if any of its addresses is refused: it may be there to try them one after another. */
export function guarded(resolve: Resolve, rule: AddressRule): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? coded('ENOTFOUND'), '', 0);
      if (!addresses.every(({ address }) => rule.allows(address))) return callback(coded(REFUSED_ADDRESS), '', 0);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

const coded = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

function failureOfStatus(status: number): WebhookFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  return status === 410 ? 'gone' : 'refused';
}

export function failureOfError(error: unknown): WebhookFailure {
  const code = String((error as NodeJS.ErrnoException | null)?.code ?? '');
  if (code === REFUSED_ADDRESS) return 'address-refused';
  if (code === TIMED_OUT || code === 'ETIMEDOUT') return 'timeout';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'no-host';
  return /CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code) ? 'certificate' : 'unreachable';
}

/** The beginning, on one line. */
const cut = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\ufffd]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_CHARACTERS);
