import type { FieldError } from '@milepost/contract';
import type { z } from 'zod';
import { issueWords } from '../base/problem-words.ts';

/** What stands beside the fields of a form, by the field's name. */
export type FieldMessages = Readonly<Record<string, string>>;

/**
 * The first message of each field is the one to act on. A field inside an object is named with dots; one thing in a list
 * (`tags.2`) speaks for the list, which has one field.
 */
export function messagesOf(errors: readonly Pick<FieldError, 'field' | 'message'>[]): FieldMessages {
  const messages: Record<string, string> = {};
  for (const { field, message } of errors) messages[field.replace(/(\.\d+)+$/, '')] ??= message;
  return messages;
}

/** What a schema says is wrong, in words. */
export const messagesOfIssues = (issues: readonly z.core.$ZodIssue[]): FieldMessages =>
  messagesOf(issues.map(issue => ({ field: issue.path.map(String).join('.'), message: issueWords(issue) })));

/** What a schema finds wrong with what was entered. */
export const messagesFor = (schema: z.ZodType, entered: unknown): FieldMessages =>
  messagesOfIssues(schema.safeParse(entered).error?.issues ?? []);

/** Fields that differ from their initial values. Lists and objects are compared by content. */
export function changedFields<V extends object>(initial: V, values: V): (keyof V & string)[] {
  const names = Object.keys(values) as (keyof V & string)[];
  return names.filter(name => !sameValue(initial[name], values[name]));
}

/** Only the changed values, so that other users' changes aren't overwritten. */
export function changedValues<V extends object>(initial: { readonly [N in keyof V]: unknown }, values: V): Partial<V> {
  const changed = changedFields<{ readonly [N in keyof V]: unknown }>(initial, values);
  return Object.fromEntries(changed.map(name => [name, values[name]])) as Partial<V>;
}

function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
