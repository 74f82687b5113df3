import type { z } from 'zod';
import { inLanguage } from '../app/language/sentences.ts';

/** What stands beside the fields of a form, by the field's name. */
export type FieldMessages = Readonly<Record<string, string>>;

/** The first message of each field is the one to act on. A field inside an object is named with dots. */
export function messagesOf(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]) {
  const messages: Record<string, string> = {};
  for (const { path, message } of issues) messages[path.map(String).join('.')] ??= inLanguage(message);
  return messages as FieldMessages;
}

/** What a schema finds wrong with what was entered. */
export const messagesFor = (schema: z.ZodType, entered: unknown): FieldMessages =>
  messagesOf(schema.safeParse(entered).error?.issues ?? []);

/** The fields that no longer hold what they started with. Lists and objects are compared by what they hold. */
export function changedFields<V extends object>(initial: V, values: V): (keyof V & string)[] {
  const names = Object.keys(values) as (keyof V & string)[];
  return names.filter(name => !sameValue(initial[name], values[name]));
}

/** Those of the values that no longer are what they were: what somebody else has changed meanwhile is not sent back. */
export function changedValues<V extends object>(initial: { readonly [N in keyof V]: unknown }, values: V): Partial<V> {
  const changed = changedFields<{ readonly [N in keyof V]: unknown }>(initial, values);
  return Object.fromEntries(changed.map(name => [name, values[name]])) as Partial<V>;
}

function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
