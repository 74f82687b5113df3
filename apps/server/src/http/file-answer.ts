import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { isKnown, weakTag } from './etag.ts';

export interface FileAnswerOptions {
  /** The media type for the response. */
  readonly type: string;
  /** The name to save it as; without one, the browser may display it. */
  readonly saveAs?: string;
  /** The `Cache-Control` header; without it, browsers must not store the file. */
  readonly cacheControl?: string;
  /** For a text: the answer has an ETag, and is 304 if the caller has that (RFC 9110 section 13.1.2). */
  readonly hasTag?: boolean;
}

/** A response that is a file. Browsers must not guess its type or run its content (ASVS 5.0 3.2.1, 5.4.1). */
export class FileAnswer {
  readonly body: Readable | Buffer | string;
  readonly #options: FileAnswerOptions;

  constructor(body: Readable | Buffer | string, options: FileAnswerOptions) {
    this.body = body;
    this.#options = options;
  }

  send(reply: FastifyReply): FastifyReply {
    const { type, saveAs, hasTag = false, cacheControl = 'no-store' } = this.#options;
    reply.header('cache-control', cacheControl);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
    if (hasTag && typeof this.body === 'string') {
      const tag = weakTag(this.body);
      reply.header('etag', tag);
      if (isKnown(tag, reply.request.headers['if-none-match'])) return reply.code(304).send();
    }
    if (saveAs !== undefined) reply.header('content-disposition', attachment(saveAs));
    return reply.type(type).send(this.body);
  }
}

/** RFC 6266: an ASCII name for old clients, and the full name in UTF-8 (RFC 8187) for others. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\w .-]/g, '_');
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
