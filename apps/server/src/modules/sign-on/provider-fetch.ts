import { lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import type { SignOnFailure } from '@milepost/contract';
import type { CustomFetch } from 'openid-client';
import { type AddressRule, addressRule } from '../webhooks/addresses.ts';
import { failureOfError, guarded, REFUSED_ADDRESS, TIMED_OUT } from '../webhooks/send.ts';

/** Configurations and keys have a few kilobytes. */
const ANSWER_BYTES = 1024 * 1024;
const TIMEOUT_MS = 10_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Where the server looks for a provider. */
export interface Reach {
  readonly rule: AddressRule;
  /** Whether `http://` to this machine is allowed. */
  readonly loopback: boolean;
}

const ANYWHERE: AddressRule = { allows: address => isIP(address) !== 0 };

/**
 * A provider of one's own often stands in the same private network as Milepost. So who runs the installation may name
 * any address; for other accounts, whose owners have no business in that network, the rule of webhooks applies.
 */
export function reachOf(isOperator: boolean, networks: readonly string[]): Reach {
  const rule = isOperator ? ANYWHERE : addressRule(networks);
  return { rule, loopback: rule.allows('127.0.0.1') };
}

/** Whether a browser or this server may be sent to an address that a provider names: no `javascript:`, no plain HTTP. */
export function isWebAddress(address: string, { loopback }: Reach): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && loopback && LOOPBACK.has(hostname));
}

/**
 * What openid-client fetches with. As for webhooks, the address is checked where the connection is made, and redirects
 * are not followed.
 */
export function providerFetch(reach: Reach): CustomFetch {
  return async (address, { method, headers, body }) => {
    const url = new URL(address);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (!isWebAddress(address, reach) || (isIP(host) !== 0 && !reach.rule.allows(host))) throw coded(REFUSED_ADDRESS);
    const { request } = url.protocol === 'https:' ? https : http;
    const { promise, reject, resolve } = Promise.withResolvers<Response>();
    const bytes = body === undefined || body === null ? null : Buffer.from(String(body));
    const asked = request(url, {
      method,
      headers: { ...headers, ...(bytes && { 'content-length': String(bytes.length) }), connection: 'close' },
      agent: false,
      lookup: guarded(lookup, reach.rule),
    });
    const timer = setTimeout(() => asked.destroy(coded(TIMED_OUT)), TIMEOUT_MS);
    asked.on('error', reject);
    asked.on('response', response => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        length += chunk.length;
        if (length > ANSWER_BYTES) asked.destroy(coded('MILEPOST_TOO_LONG'));
      });
      response.on('error', reject);
      response.on('end', () => {
        const status = response.statusCode ?? 502;
        const hasBody = ![204, 205, 304].includes(status);
        const type = response.headers['content-type'];
        const answer = { status, headers: { 'content-type': type ?? 'application/octet-stream' } };
        resolve(new Response(hasBody ? Buffer.concat(chunks) : null, answer));
      });
    });
    asked.end(bytes ?? undefined);
    return promise.finally(() => clearTimeout(timer));
  };
}

const coded = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });

/** Why nothing came back; null if something did. openid-client wraps what the fetch has thrown. */
export function failureToReach(error: unknown): Exclude<SignOnFailure, 'no-provider' | 'other-issuer'> | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? '';
    // Plain HTTP, which openid-client refuses before anything is fetched.
    if (code === 'OAUTH_HTTP_REQUEST_FORBIDDEN') return 'address-refused';
    if (!/^(E[A-Z]|MILEPOST_|CERT|UNABLE_|SELF_|DEPTH_|HPE_)/.test(code)) continue;
    const failure = failureOfError(cause);
    return failure === 'address-refused' || failure === 'no-host' || failure === 'certificate' || failure === 'timeout'
      ? failure
      : 'unreachable';
  }
  return null;
}
