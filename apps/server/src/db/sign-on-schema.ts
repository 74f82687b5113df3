import type { SignOnInput } from '@milepost/contract';
import type { ColumnType, Generated } from 'kysely';

/** The tables of single sign-on, as Kysely sees them; part of `schema.ts`. */
export interface SignOnTables {
  sign_on: SignOnTable;
  sign_on_secret: SignOnSecretTable;
  sign_on_identity: SignOnIdentityTable;
  sign_on_attempt: SignOnAttemptTable;
}

export interface SignOnTable {
  account_id: number;
  link: Generated<string>;
  is_on: boolean;
  label: string;
  issuer: string;
  client_id: string;
  scopes: string;
  groups_claim: string;
  groups: ColumnType<SignOnInput['groups'], string, string>;
  default_role: SignOnInput['defaultRole'];
  domains: string[];
  create_users: boolean;
  match_by_email: boolean;
  passwords: SignOnInput['passwords'];
  trust_second_factor: boolean;
  sign_out_too: boolean;
}

/** Requests can write it and not read it. */
interface SignOnSecretTable {
  account_id: number;
  secret: string;
}

interface SignOnIdentityTable {
  account_id: number;
  issuer: string;
  subject: string;
  user_id: string;
  created_at: Generated<Date>;
}

/** No request can see it: nobody is signed in yet. */
interface SignOnAttemptTable {
  state_hash: Buffer;
  browser_hash: Buffer;
  account_id: number;
  issuer: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
  return_to: string;
  expires_at: Date;
}
