import { NO_PREFERENCES, type Preferences, preferencesSchema } from '@milepost/contract';

/** Reads stored preferences. Values of another version are ignored. */
export function readPreferences(stored: unknown): Preferences {
  const known = new Map(Object.entries(typeof stored === 'object' && stored !== null ? stored : {}));
  const read = Object.entries(preferencesSchema.shape).flatMap(([name, schema]) => {
    const value = schema.safeParse(known.get(name));
    return value.success ? [[name, value.data]] : [];
  });
  return { ...NO_PREFERENCES, ...Object.fromEntries(read) };
}
