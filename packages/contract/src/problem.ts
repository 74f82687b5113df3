import { z } from 'zod';

/** Values for the placeholders in the code's text. */
const paramsSchema = z.record(z.string(), z.union([z.string(), z.number()]));

export const fieldErrorSchema = z.object({
  /** Path of the field in the request, joined by dots; empty for the request as a whole. */
  field: z.string(),
  code: z.string(),
  params: paramsSchema.optional(),
  /** The error message in English. */
  message: z.string(),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** RFC 9457 problem details, with the fields that our forms need. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    /** An id to quote in a support request; the server's log has the same one. */
    instance: z.string().optional(),
    params: paramsSchema.optional(),
    errors: z.array(fieldErrorSchema).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;
