import { ProblemError } from '@milepost/client';
import type { ProblemCode } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import type { z } from 'zod';
import { describeError } from '../base/describe-error.ts';
import { changedFields, type FieldMessages, messagesFor, messagesOf, messagesOfIssues } from './field-messages.ts';
import { afterPress } from './pointer.ts';
import { refreshUntouched } from './refresh-untouched.ts';

type Names<V, T> = { [N in keyof V]: V[N] extends T ? N : never }[keyof V] & string;

export interface FormOptions<V extends object, S extends z.ZodType, A> {
  /** The contract's own schema, which the server uses too [R5.03]. */
  readonly schema: S;
  /** Initial values. If they change later, fields that the user hasn't changed follow. */
  readonly initial: V;
  /** Converts the fields' values to what the schema expects, for example empty text to null. */
  readonly toBody?: (values: V) => unknown;
  readonly save: (body: z.output<S>) => Promise<A>;
  readonly onSaved?: (answer: A) => void;
  /** Field values after saving, if they differ from what was sent. A password field, for example, is cleared. */
  readonly held?: (answer: A, sent: V) => V;
  /** Which field shows a problem with the whole request, such as a name that is taken. */
  readonly problemFields?: Partial<Record<ProblemCode, keyof V & string>>;
}

export interface Form<V extends object> {
  readonly values: V;
  readonly set: <N extends keyof V & string>(name: N, value: V[N]) => void;
  readonly messages: FieldMessages;
  /** Number of attempts to submit. After each, the focus goes to the first invalid field. */
  readonly attempts: number;
  /** An error that belongs to no field. */
  readonly failure: string | null;
  readonly changed: readonly (keyof V & string)[];
  readonly saving: boolean;
  readonly submit: (event?: FormEvent) => void;
  readonly discard: () => void;
  /** Replaces all values, as if nothing had been entered. */
  readonly restart: (values: V) => void;
  /** Props for a text field or a select. */
  readonly text: (name: Names<V, string>) => {
    readonly name: string;
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void;
    readonly onBlur: () => void;
  };
  /** Props for a checkbox or a switch. */
  readonly flag: (name: Names<V, boolean>) => {
    readonly name: string;
    readonly checked: boolean;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

/** Errors inside of a field's value, such as `cases.0.speed`, are shown at the field. */
function homeOf(field: string, values: object): string {
  for (let name = field; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    if (name in values) return name;
  }
  return field;
}

/**
 * State of a form: values, errors per field, and the server's errors. A field is checked when the user leaves it, all
 * fields when the form is submitted. What the user typed is never lost [R8.05], and fields that only other users
 * changed aren't sent back with old values.
 */
export function useForm<V extends object, S extends z.ZodType, A>(options: FormOptions<V, S, A>): Form<V> {
  const { schema, toBody, save, onSaved, held, problemFields = {} } = options;
  const [base, setBase] = useState(options.initial);
  const [values, setValues] = useState(options.initial);
  const [known, setKnown] = useState(options.initial);
  const [messages, setMessages] = useState<FieldMessages>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [attempts, setAttempts] = useState(0);
  const learned = changedFields(known, options.initial);
  if (learned.length > 0) {
    setKnown(options.initial);
    setBase(refreshUntouched(base, base, options.initial, learned));
    setValues(refreshUntouched(values, base, options.initial, learned));
  }
  const { mutate, isPending } = useMutation({
    mutationFn: ({ body }: { readonly body: z.output<S>; readonly sent: V }) => save(body),
    onSuccess: (answer, { sent }) => {
      const now = held ? held(answer, sent) : sent;
      setBase(now);
      // What the user typed while the request was running still needs saving.
      setValues(typed => refreshUntouched(typed, sent, now, changedFields(sent, now)));
      onSaved?.(answer);
    },
    onError: cause => {
      const { fields, message } = describeError(cause);
      say(fields.length > 0 ? messagesOf(fields) : byProblem(cause), message);
    },
  });

  /** Shows errors at their fields. Errors that belong to no field, or else `otherwise`, are shown at the top. */
  function say(said: FieldMessages, otherwise: string | null): void {
    const found: Record<string, string> = {};
    for (const [field, message] of Object.entries(said)) found[homeOf(field, values)] ??= message;
    const homeless = Object.entries(found).find(([field]) => !(field in values))?.[1];
    const isSaid = Object.keys(found).some(field => field in values);
    setMessages(found);
    setFailure(homeless ?? (isSaid ? null : otherwise));
    setAttempts(count => count + 1);
  }

  const body = (of: V): unknown => (toBody ? toBody(of) : of);

  function byProblem(cause: unknown): FieldMessages {
    const field = cause instanceof ProblemError ? problemFields[cause.code as ProblemCode] : undefined;
    return field === undefined ? {} : { [field]: describeError(cause).message };
  }

  function set<N extends keyof V & string>(name: N, value: V[N]): void {
    setValues(before => ({ ...before, [name]: value }));
    setMessages(({ [name]: _, ...others }) => others);
  }

  /** When the user leaves a changed field, only that field's error is shown. */
  function leave(name: keyof V & string): void {
    if (!changedFields(base, values).includes(name)) return;
    const message = messagesFor(schema, body(values))[name];
    if (message !== undefined) setMessages(before => ({ ...before, [name]: message }));
  }

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (isPending) return;
    const result = schema.safeParse(body(values));
    say(messagesOfIssues(result.error?.issues ?? []), null);
    if (result.success) mutate({ body: result.data, sent: values });
  }

  function restart(to: V): void {
    setBase(to);
    setValues(to);
    setMessages({});
    setFailure(null);
    setAttempts(0);
  }

  return {
    values,
    set,
    messages,
    attempts,
    failure,
    changed: changedFields(base, values),
    saving: isPending,
    submit,
    discard: () => restart(base),
    restart,
    text: name => ({
      name,
      value: values[name] as string,
      error: messages[name],
      onChange: event => set(name, event.currentTarget.value as V[typeof name]),
      onBlur: () => afterPress(() => leave(name)),
    }),
    flag: name => ({
      name,
      checked: values[name] as boolean,
      onChange: event => set(name, event.currentTarget.checked as V[typeof name]),
    }),
  };
}
