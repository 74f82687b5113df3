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
  /** The contract's own schema: it decides here and on the server [R5.03]. */
  readonly schema: S;
  /** What the fields hold at first; where that changes later, those follow that nobody has changed. */
  readonly initial: V;
  /** What the schema reads, where fields hold something else: an empty text for nothing, say. */
  readonly toBody?: (values: V) => unknown;
  readonly save: (body: z.output<S>) => Promise<A>;
  readonly onSaved?: (answer: A) => void;
  /** Field values after saving, if they differ from what was sent: a password field is emptied. */
  readonly held?: (answer: A, sent: V) => V;
  /** The field that shows a problem of the whole request, such as a taken name. */
  readonly problemFields?: Partial<Record<ProblemCode, keyof V & string>>;
}

export interface Form<V extends object> {
  readonly values: V;
  readonly set: <N extends keyof V & string>(name: N, value: V[N]) => void;
  readonly messages: FieldMessages;
  /** How often it was sent, so that each time the focus goes to the first wrong field. */
  readonly attempts: number;
  /** What went wrong and belongs to no field. */
  readonly failure: string | null;
  readonly changed: readonly (keyof V & string)[];
  readonly saving: boolean;
  readonly submit: (event?: FormEvent) => void;
  readonly discard: () => void;
  /** Starts over with other values, as if nothing had been entered. */
  readonly restart: (values: V) => void;
  /** Properties of a text field or a select. */
  readonly text: (name: Names<V, string>) => {
    readonly name: string;
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) => void;
    readonly onBlur: () => void;
  };
  /** Properties of a checkbox or a switch. */
  readonly flag: (name: Names<V, boolean>) => {
    readonly name: string;
    readonly checked: boolean;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
}

/**
 * One form: values, messages beside the fields, and what the server said. A field is checked when it is left and all of
 * them when the form is sent; nothing that was typed is ever lost [R8.05], and what someone else changed meanwhile is
 * not sent back as it was.
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
      // What was typed while it was on its way is still to be saved.
      setValues(typed => refreshUntouched(typed, sent, now, changedFields(sent, now)));
      onSaved?.(answer);
    },
    onError: cause => {
      const { fields, message } = describeError(cause);
      say(fields.length > 0 ? messagesOf(fields) : byProblem(cause), message);
    },
  });

  /** Beside the fields what belongs to them; on top what belongs to none, or `otherwise` where nothing does. */
  function say(found: FieldMessages, otherwise: string | null): void {
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

  /** Left after a change: its own message comes at once, those of the others wait. */
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
