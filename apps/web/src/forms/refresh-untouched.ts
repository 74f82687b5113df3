import { changedFields } from './field-messages.ts';

/** Updates the `learned` fields in `values` to those in `now`, except for fields that the user has changed. */
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
