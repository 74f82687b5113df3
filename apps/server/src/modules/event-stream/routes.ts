import { ACCESS_OF_STREAM, followEvents, may, STREAM_TYPES, type StreamType } from '@milepost/contract';
import { AppError, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { FileAnswer } from '../../http/file-answer.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { createAudience } from '../../realtime/sockets/change-audience.ts';
import { readEventId } from './cursor.ts';
import type { NextEventParts } from './next-events.ts';
import { createEventStreams, type EventStreams, type STREAM_LIMITS } from './streams.ts';

/** Server-sent events for programs: docs/integrations.md. */
export function registerEventStream(
  http: Http,
  context: Context,
  parts: Omit<NextEventParts, 'audience'>,
  limits?: typeof STREAM_LIMITS,
): EventStreams {
  const streams = createEventStreams(context, { ...parts, audience: createAudience(parts) }, limits);
  http.fastify.addHook('preClose', async () => streams.stop());

  http.handle(followEvents, async ({ query, reply, request, session }) => {
    const types = typesOf(session, query.types);
    const id = query.lastEventId ?? request.headers['last-event-id'];
    const from = typeof id === 'string' && id !== '' ? readEventId(id) : null;
    if (from === null && id !== undefined && id !== '') throw invalidField('lastEventId', 'invalid');
    // Proxies such as nginx would hold back what is small.
    reply.header('x-accel-buffering', 'no');
    const body = await streams.open(session, types, from, query.follow === 'true');
    return new FileAnswer(body, { type: 'text/event-stream; charset=utf-8' });
  });
  return streams;
}

/** All that the caller may have, or all that they asked for. */
function typesOf(session: Session, asked: readonly StreamType[] | undefined): ReadonlySet<StreamType> {
  const isAllowed = (type: StreamType): boolean => {
    const access = ACCESS_OF_STREAM[type];
    return access === null || may(session, access);
  };
  if (asked && !asked.every(isAllowed)) throw new AppError('not-allowed');
  return new Set((asked ?? STREAM_TYPES).filter(isAllowed));
}
