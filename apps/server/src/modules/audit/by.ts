import type { FastifyRequest } from 'fastify';
import type { Session } from '../../http/session.ts';
import { type Author, authorOf } from './audit.ts';

/** Whoever does something: their session decides what they may, and the audit log writes them down. */
export interface By {
  readonly session: Session;
  readonly author: Author;
}

export const by = (call: { readonly session: Session; readonly request: FastifyRequest }): By => ({
  session: call.session,
  author: authorOf(call),
});
