import { changedFields } from './field-messages.ts';

/** `values` with what is known anew of the `learned` fields, where they still hold what they started with. */
export function withLearned<V extends object>(values: V, base: V, now: V, learned: readonly (keyof V & string)[]): V {
  const changed = changedFields(base, values);
  const untouched = learned.filter(name => !changed.includes(name));
  return { ...values, ...Object.fromEntries(untouched.map(name => [name, now[name]])) };
}
