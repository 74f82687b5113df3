import { verifyText } from './verify.ts';

/** Output of `npm run verify-log -- FILE [ROOT…]`: one JSON object, or a sentence and exit status 1. */
export interface CommandAnswer {
  readonly line: string | null;
  /** Message for standard error. */
  readonly error: string | null;
}

const USAGE = 'Name the file to check, and any daily roots you have kept: npm run verify-log -- FILE [ROOT…]';
const ROOT = /^[0-9a-f]{64}$/i;

export function verifyCommand(args: readonly string[], readFile: (path: string) => string): CommandAnswer {
  const [path, ...roots] = args;
  if (path === undefined) return { line: null, error: USAGE };
  const noRoot = roots.find(root => !ROOT.test(root));
  if (noRoot !== undefined)
    return { line: null, error: `${noRoot} is not a daily root: a root has 64 hexadecimal digits.` };
  let text: string;
  try {
    text = readFile(path);
  } catch {
    return { line: null, error: `The file ${path} can’t be read.` };
  }
  const verdict = verifyText(text, roots);
  return verdict.ok ? { line: JSON.stringify(verdict), error: null } : { line: null, error: verdict.sentence };
}
