import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export interface FileAnswerOptions {
  /** Media type as it is sent. */
  readonly type: string;
  /** The name under which a browser saves it; without one it may be shown in place. */
  readonly saveAs?: string;
  /** How long browsers may keep it; not at all when left out. */
  readonly cacheControl?: string;
}

/** An answer that is a file. Browsers neither guess its type nor run anything in it (ASVS 5.0 3.2.1, 5.4.1). */
export class FileAnswer {
  readonly body: Readable | Buffer | string;
  readonly #options: FileAnswerOptions;

  constructor(body: Readable | Buffer | string, options: FileAnswerOptions) {
    this.body = body;
    this.#options = options;
  }

  send(reply: FastifyReply): FastifyReply {
    const { type, saveAs, cacheControl = 'no-store' } = this.#options;
    reply.header('cache-control', cacheControl);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
    if (saveAs !== undefined) reply.header('content-disposition', attachment(saveAs));
    return reply.type(type).send(this.body);
  }
}

/** RFC 6266: a plain name for old readers, the whole one in UTF-8 (RFC 8187) for the others. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\w .-]/g, '_');
  const whole = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
