import type { FastifyRequest } from 'fastify';
import type { Session } from '../../http/session.ts';
import { type Author, authorOf } from './audit.ts';

/** The user who makes a change: their session decides what they may do, and the audit log records them. */
export interface By {
  readonly session: Session;
  readonly author: Author;
}

export const by = (call: { readonly session: Session; readonly request: FastifyRequest }): By => ({
  session: call.session,
  author: authorOf(call),
});
