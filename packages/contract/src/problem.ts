import { z } from 'zod';

/** What the code's text is filled with. */
const paramsSchema = z.record(z.string(), z.union([z.string(), z.number()]));

export const fieldErrorSchema = z.object({
  /** Path of the field in the request, joined by dots; empty for the request as a whole. */
  field: z.string(),
  code: z.string(),
  params: paramsSchema.optional(),
  /** The sentence in English. */
  message: z.string(),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

/** RFC 9457, with the members that our forms need. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string(),
    detail: z.string().optional(),
    /** The id to quote; the server's log has the same id. */
    instance: z.string().optional(),
    params: paramsSchema.optional(),
    errors: z.array(fieldErrorSchema).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;
