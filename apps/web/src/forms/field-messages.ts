import type { FieldError } from '@milepost/contract';
import type { z } from 'zod';
import { issueWords } from '../base/problem-words.ts';

/** Error messages by the field's name. */
export type FieldMessages = Readonly<Record<string, string>>;

/**
 * Keeps the first message for each field. Names of fields inside an object have dots. Errors in list items (`tags.2`)
 * belong to the list, which is one field.
 */
export function messagesOf(errors: readonly Pick<FieldError, 'field' | 'message'>[]): FieldMessages {
  const messages: Record<string, string> = {};
  for (const { field, message } of errors) messages[field.replace(/(\.\d+)+$/, '')] ??= message;
  return messages;
}

/** Messages for the issues that a schema found. */
export const messagesOfIssues = (issues: readonly z.core.$ZodIssue[]): FieldMessages =>
  messagesOf(issues.map(issue => ({ field: issue.path.map(String).join('.'), message: issueWords(issue) })));

/** Messages for what is wrong with the entered values. */
export const messagesFor = (schema: z.ZodType, entered: unknown): FieldMessages =>
  messagesOfIssues(schema.safeParse(entered).error?.issues ?? []);

/** Names of the fields that differ from their initial values. Lists and objects are compared by content. */
export function changedFields<V extends object>(initial: V, values: V): (keyof V & string)[] {
  const names = Object.keys(values) as (keyof V & string)[];
  return names.filter(name => !sameValue(initial[name], values[name]));
}

/** Only the changed values. Saving these doesn't overwrite other users' changes. */
export function changedValues<V extends object>(initial: { readonly [N in keyof V]: unknown }, values: V): Partial<V> {
  const changed = changedFields<{ readonly [N in keyof V]: unknown }>(initial, values);
  return Object.fromEntries(changed.map(name => [name, values[name]])) as Partial<V>;
}

function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
