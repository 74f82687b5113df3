import type { webcrypto } from 'node:crypto';
import { phoneChain, phoneLinkHash } from '@milepost/eld';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import { isSigned } from '../logbook/duty/signatures.ts';
import { WrongRow } from './wrong-row.ts';

const PAGE = 500;

interface Signature {
  readonly input_id: string;
  readonly phone_id: string;
  /** bigint: as text. */
  readonly position: string;
  readonly previous: string;
  readonly hash: string;
  readonly signed_at: string;
  readonly signature: string;
  readonly finding: string | null;
  /** Of the entry; null if it is not in the file. */
  readonly action: unknown;
}

/** Findings that an entry with a valid signature can have. */
const SIGNED: ReadonlySet<string | null> = new Set([null, 'broken-chain', 'ended-phone']);
/** Findings that an entry in its place in its phone's chain can have. */
const IN_PLACE: ReadonlySet<string | null> = new Set([null, 'ended-phone']);

/** Throws if an imported signature is not its phone's, or is out of its place, and no finding says so. */
export async function checkSignatures(trx: AccountTransaction): Promise<void> {
  const rows = await trx.selectFrom('phone').selectAll().execute();
  const phones = new Map(rows.map(phone => [phone.id, phone]));
  let chain = '';
  /** The hashes at the place before this one, and at this one; if there are several, findings say so. */
  let [before, here] = [new Set<string>(), new Set<string>()];
  let place = -1;
  for await (const row of signatures(trx)) {
    const { action, finding, hash, phone_id, previous, signature } = row;
    const position = Number(row.position);
    const wrong = new WrongRow(`duty_signature: entry ${position} of phone ${phone_id}`);
    const entry = { id: row.input_id, at: row.signed_at, action };
    if (action === null || phoneLinkHash(phoneChain(phone_id), entry, position, previous) !== hash) throw wrong;
    const phone = phones.get(phone_id);
    if (phone_id !== chain) {
      [chain, place, before, here] = [phone_id, -1, new Set(), new Set()];
      if (phone) [place, here] = [Number(phone.after_position), new Set([phone.after_hash])];
    }
    if (position !== place) [before, here] = [position === place + 1 ? here : new Set(), new Set()];
    place = position;
    here.add(hash);
    if (!phone) {
      if (finding !== 'unknown-phone') throw wrong;
      continue;
    }
    if (SIGNED.has(finding) && !(await isSigned(phone.public_key as webcrypto.JsonWebKey, hash, signature)))
      throw wrong;
    if (IN_PLACE.has(finding) && !before.has(previous)) throw wrong;
  }
}

/** All signatures, by phone, in the order of its chain. */
async function* signatures(trx: AccountTransaction): AsyncGenerator<Signature> {
  let last: Signature | undefined;
  do {
    const after: Signature | undefined = last;
    const { rows } = await sql<Signature>`
      select s.*, i.action from duty_signature s
      left join duty_input i on i.account_id = s.account_id and i.id = s.input_id
      where ${after ? sql`(s.phone_id, s.position, s.input_id) > (${after.phone_id}, ${after.position}, ${after.input_id})` : sql`true`}
      order by s.phone_id, s.position, s.input_id limit ${PAGE}`.execute(trx);
    yield* rows;
    last = rows.at(-1);
  } while (last);
}
