/** The result of a function that can refuse its input. Errors are values with codes, never exceptions. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly errors: readonly Failure[] };

export const success = <Value>(value: Value): Result<Value, never> => ({ ok: true, value });
export const failure = <Failure>(...errors: readonly Failure[]): Result<never, Failure> => ({ ok: false, errors });
