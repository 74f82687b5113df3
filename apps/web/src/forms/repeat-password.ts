import { issue } from '@milepost/contract';
import { z } from 'zod';

/**
 * The schema of a form in which a new password is entered twice. The second one isn't sent to the server. `name` is the
 * field of the first one.
 */
export function withRepeat<S extends z.ZodObject>(
  body: S,
  name = 'password',
): z.ZodType<z.output<S> & { readonly repeat: string }> {
  // Runs even when other fields are invalid, so that all errors show at once.
  const asked = body.safeExtend({ repeat: z.string() }).refine(
    values => {
      const { [name]: password, repeat } = values as Record<string, unknown>;
      return password === repeat;
    },
    { path: ['repeat'], message: issue('passwords-differ'), when: () => true },
  );
  return asked as unknown as z.ZodType<z.output<S> & { readonly repeat: string }>;
}
