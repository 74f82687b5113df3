import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../app-error.ts';

/** The largest file of any form; a route's schema can set a lower limit. */
const FILE_LIMIT = 10 * 1024 * 1024;
const LIMITS = { fileSize: FILE_LIMIT, files: 1, fields: 20, parts: 21, fieldSize: 16 * 1024, fieldNameSize: 100 };

export async function acceptForms(fastify: FastifyInstance): Promise<void> {
  await fastify.register(multipart, { limits: LIMITS, throwFileSizeLimit: true });
}

/**
 * A form for its route's schema: text fields, and files as `File`. Nothing is written to disk, and declared types and
 * names are not trusted.
 */
export async function readForm(request: FastifyRequest): Promise<Record<string, string | File>> {
  const form: Record<string, string | File> = Object.create(null);
  try {
    for await (const part of request.parts()) {
      form[part.fieldname] =
        part.type === 'file'
          ? new File([new Uint8Array(await part.toBuffer())], part.filename ?? '', { type: part.mimetype })
          : String(part.value);
    }
  } catch (error) {
    throw formProblem(error);
  }
  return { ...form };
}

function formProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new AppError('payload-too-large', { limitBytes: FILE_LIMIT });
  if (typeof code === 'string' && code.startsWith('FST_')) {
    return invalidField('', 'form-parts');
  }
  return error instanceof AppError || code !== null ? error : invalidField('', 'form-unreadable');
}
