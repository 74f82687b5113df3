import { verifyFile } from './verify.ts';

/** Output of `npm run verify-log -- FILE [ROOT…]`: one JSON object, or a sentence and exit status 1. */
export interface CommandAnswer {
  readonly line: string | null;
  /** Message for standard error. */
  readonly error: string | null;
}

const USAGE =
  'Name the file to check, and any daily roots or SHA-256 digests you have kept: npm run verify-log -- FILE [KEPT…]';
const ROOT = /^[0-9a-f]{64}$/i;

export function verifyCommand(args: readonly string[], readFile: (path: string) => Uint8Array): CommandAnswer {
  const [path, ...roots] = args;
  if (path === undefined) return { line: null, error: USAGE };
  const noRoot = roots.find(root => !ROOT.test(root));
  if (noRoot !== undefined)
    return { line: null, error: `${noRoot} is not a daily root or digest: they have 64 hexadecimal digits.` };
  let bytes: Uint8Array;
  try {
    bytes = readFile(path);
  } catch {
    return { line: null, error: `The file ${path} can’t be read.` };
  }
  const verdict = verifyFile(bytes, roots);
  return verdict.ok ? { line: JSON.stringify(verdict), error: null } : { line: null, error: verdict.sentence };
}
