import { may, PERSONAL_PERMISSIONS, type Route } from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { RequestLimits } from '../limits/rate-limit.ts';
import { API_TOKEN_PREFIX, type Session, type SessionFinder } from './session.ts';

/** RFC 6750 section 2.1; the scheme's name is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i;

export function bearerToken(request: FastifyRequest): string | null {
  return BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/** RFC 7617. */
const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** A user's name, and one of their API tokens as the password. */
function basicCredentials(request: FastifyRequest): { readonly userName: string; readonly token: string } | null {
  const encoded = BASIC.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { userName: text.slice(0, colon), token: text.slice(colon + 1) };
}

/** The caller's session; null if they sent nothing, the problem if what they sent is of none. */
async function sessionOf(
  route: Route,
  request: FastifyRequest,
  sessions: SessionFinder,
): Promise<Session | ReturnType<typeof endedOf> | null> {
  const token = bearerToken(request);
  if (token !== null) return (await sessions.findByToken(token)) ?? endedOf(token);
  const basic = route.basic ? basicCredentials(request) : null;
  if (!basic) return null;
  const session = await sessions.findByToken(basic.token);
  // A browser's session is no password.
  return session?.kind === 'api-token' && session.userName === basic.userName ? session : endedOf(basic.token);
}

const endedOf = (token: string) => (token.startsWith(API_TOKEN_PREFIX) ? 'token-ended' : 'session-ended');

/** Checks the caller before the body is read: the session first, then the contract's table of permissions. */
export async function authorise(
  route: Route,
  request: FastifyRequest,
  sessions: SessionFinder,
  limits: RequestLimits,
): Promise<Session | null> {
  if (route.access === 'public') return null;
  const session = await sessionOf(route, request, sessions);
  if (session === null || typeof session === 'string') {
    await limits.anonymous(request.ip);
    throw new AppError(session ?? 'not-signed-in');
  }
  await limits.session(session.sessionId);
  refuseUnless(route, session);
  return session;
}

const PERSONAL: ReadonlySet<string> = new Set(PERSONAL_PERMISSIONS);
const PROBLEM_OF_DUTY = {
  'change-password': 'must-change-password',
  'set-up-second-factor': 'must-set-up-second-factor',
} as const;

function refuseUnless(route: Route, session: Session): void {
  const { access } = route;
  if (access === 'public' || access === 'signed-in' || may(session, access)) return;
  if (session.duty) throw new AppError(PROBLEM_OF_DUTY[session.duty]);
  if (session.kind === 'api-token' && PERSONAL.has(access)) throw new AppError('sign-in-needed');
  if (session.kind === 'api-token') throw new AppError('token-not-allowed');
  const byRole = may({ ...session, readOnly: false }, access);
  throw new AppError(session.readOnly && byRole ? 'read-only' : 'not-allowed');
}
