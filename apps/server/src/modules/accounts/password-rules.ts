import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type FieldError, fieldError } from '@milepost/contract';
import { AppError } from '../../app-error.ts';

const LIST = join(import.meta.dirname, '../../../../../data/passwords/common.txt.gz');
/** Shorter parts of a name also occur in unrelated passwords. */
const TELLING_LETTERS = 4;
const PRODUCT_WORDS = ['milepost'];

/** The user who sets the password. An attacker would try their details first. */
export interface PasswordOwner {
  readonly userName: string;
  readonly displayName?: string;
  readonly email?: string | null;
  readonly organisation?: string;
}

let common: Promise<ReadonlySet<string>> | null = null;

/**
 * Checks a new password beyond its length (ASVS 5.0 6.2.4, 6.2.11, 6.2.12): it must not be one of the 43,940
 * passwords with at least 12 characters among the million most used, nor contain a name. There are no other rules.
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
