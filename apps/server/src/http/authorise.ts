import { may, PERSONAL_PERMISSIONS, type Route } from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { RequestLimits } from '../limits/rate-limit.ts';
import type { Session, SessionFinder } from './session.ts';

/** RFC 6750 section 2.1; the scheme's name is case-insensitive (RFC 9110 section 11.1). */
const BEARER = /^bearer +([A-Za-z0-9._~+/=-]+) *$/i;

export function bearerToken(request: FastifyRequest): string | null {
  return BEARER.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/** Checks the caller before the body is read: the session first, then the contract's table of permissions. */
export async function authorise(
  route: Route,
  request: FastifyRequest,
  sessions: SessionFinder,
  limits: RequestLimits,
): Promise<Session | null> {
  if (route.access === 'public') return null;
  const token = bearerToken(request);
  const session = token === null ? null : await sessions.findByToken(token);
  if (!session) {
    await limits.anonymous(request.ip);
    throw new AppError(token === null ? 'not-signed-in' : 'session-ended');
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
  const byRole = may({ ...session, readOnly: false }, access);
  throw new AppError(session.readOnly && byRole ? 'read-only' : 'not-allowed');
}
