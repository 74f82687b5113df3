import { issue } from '@milepost/contract';
import { z } from 'zod';

/**
 * A body with a new password, as a form asks for it: twice. The second one stays in the browser. `name` is the first
 * one's field.
 */
export function withRepeat<S extends z.ZodObject>(
  body: S,
  name = 'password',
): z.ZodType<z.output<S> & { readonly repeat: string }> {
  // Also when other fields are wrong: all that is wrong is said at once.
  const asked = body.safeExtend({ repeat: z.string() }).refine(
    values => {
      const { [name]: password, repeat } = values as Record<string, unknown>;
      return password === repeat;
    },
    { path: ['repeat'], message: issue('passwords-differ'), when: () => true },
  );
  return asked as unknown as z.ZodType<z.output<S> & { readonly repeat: string }>;
}
