import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type FieldError, fieldError } from '@milepost/contract';
import { AppError } from '../../http/app-error.ts';

const LIST = join(import.meta.dirname, '../../../../../data/passwords/common.txt.gz');
/** Shorter parts of a name are parts of any sentence. */
const TELLING_LETTERS = 4;
const PRODUCT_WORDS = ['milepost'];

/** Whose password it is to be: what everybody would try first. */
export interface PasswordOwner {
  readonly userName: string;
  readonly displayName?: string;
  readonly email?: string | null;
  readonly organisation?: string;
}

let common: Promise<ReadonlySet<string>> | null = null;

/**
 * What a new password must not be, beyond its length (ASVS 5.0 6.2.4, 6.2.11, 6.2.12): one of the 43,940 passwords of
 * 12 characters and more among the million that are used most, or one with a name in it. No other rules.
 */
export async function passwordProblem(
  field: string,
  password: string,
  owner: PasswordOwner,
): Promise<FieldError | null> {
  const lower = password.toLowerCase();
  common ??= readList();
  if ((await common).has(lower)) {
    return fieldError(field, 'common-password');
  }
  const word = tellingWords(owner).find(each => lower.includes(each));
  return word === undefined ? null : fieldError(field, 'name-in-password', { word });
}

/** For a form with the password in `field`. */
export async function refuseBadPassword(field: string, password: string, owner: PasswordOwner): Promise<void> {
  const problem = await passwordProblem(field, password, owner);
  if (problem) throw new AppError('invalid-input', {}, { errors: [problem] });
}

function tellingWords({ userName, displayName = '', email, organisation = '' }: PasswordOwner): string[] {
  return [userName, displayName, email?.split('@')[0] ?? '', organisation, ...PRODUCT_WORDS]
    .flatMap(name => [name, ...name.split(/[^\p{L}\p{N}]+/u)])
    .map(word => word.toLowerCase())
    .filter(word => word.length >= TELLING_LETTERS && !/^\d+$/.test(word));
}

async function readList(): Promise<ReadonlySet<string>> {
  const text = (await promisify(gunzip)(await readFile(LIST))).toString('utf8');
  return new Set(text.trimEnd().split('\n'));
}
