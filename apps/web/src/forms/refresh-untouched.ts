import { changedFields } from './field-messages.ts';

/** `values` with the new values of the `learned` fields, unless the user has changed them. */
export function refreshUntouched<V extends object>(
  values: V,
  base: V,
  now: V,
  learned: readonly (keyof V & string)[],
): V {
  const changed = changedFields(base, values);
  const untouched = learned.filter(name => !changed.includes(name));
  return { ...values, ...Object.fromEntries(untouched.map(name => [name, now[name]])) };
}
