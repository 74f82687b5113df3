import type { AuditAction, CommandAction, CommandState, DocumentKind, Language } from '@milepost/contract';
import auditEn from '@milepost/contract/texts/en-US/audit.json' with { type: 'json' };
import commandsEn from '@milepost/contract/texts/en-US/commands.json' with { type: 'json' };
import documentsEn from '@milepost/contract/texts/en-US/documents.json' with { type: 'json' };
import hosRulesEn from '@milepost/contract/texts/en-US/hos-rules.json' with { type: 'json' };
import auditEs from '@milepost/contract/texts/es/audit.json' with { type: 'json' };
import commandsEs from '@milepost/contract/texts/es/commands.json' with { type: 'json' };
import documentsEs from '@milepost/contract/texts/es/documents.json' with { type: 'json' };
import hosRulesEs from '@milepost/contract/texts/es/hos-rules.json' with { type: 'json' };
import auditFr from '@milepost/contract/texts/fr/audit.json' with { type: 'json' };
import commandsFr from '@milepost/contract/texts/fr/commands.json' with { type: 'json' };
import documentsFr from '@milepost/contract/texts/fr/documents.json' with { type: 'json' };
import hosRulesFr from '@milepost/contract/texts/fr/hos-rules.json' with { type: 'json' };
import type { RuleId } from '@milepost/hos';

/** What the app calls things that reports list, from the app's own texts. */

type Known<K extends string> = Readonly<Record<Language, Readonly<Record<K, string>>>>;
/** What is listed may be older than this version. */
const said = (words: Readonly<Record<string, string>>, key: string): string | undefined => words[key];

const COMMANDS: Known<CommandAction> = {
  'en-US': commandsEn.action,
  es: commandsEs.action,
  fr: commandsFr.action,
};
export const commandWords = (action: string, language: Language): string | undefined =>
  said(COMMANDS[language], action);

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
const STATES: Known<Camel<CommandState>> = { 'en-US': commandsEn.state, es: commandsEs.state, fr: commandsFr.state };
export const commandStateWords = (state: string, language: Language): string | undefined =>
  said(
    STATES[language],
    state.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );

const DOCUMENTS: Known<DocumentKind> = { 'en-US': documentsEn.kind, es: documentsEs.kind, fr: documentsFr.kind };
export const documentWords = (kind: string, language: Language): string | undefined => said(DOCUMENTS[language], kind);

const HOS_RULES: Known<RuleId> = { 'en-US': hosRulesEn, es: hosRulesEs, fr: hosRulesFr };
/** An hours-of-service rule's name. */
export const hosRuleWords = (rule: string, language: Language): string => said(HOS_RULES[language], rule) ?? rule;

/** `user.created` is `created` under `user`. */
type Nested<S extends string> = {
  readonly [H in S extends `${infer Head}.${string}` ? Head : never]: {
    readonly [T in S extends `${H}.${infer Tail}` ? Tail : never]: string;
  };
};
const DID: Readonly<Record<Language, Nested<AuditAction>>> = { 'en-US': auditEn.did, es: auditEs.did, fr: auditFr.did };
export function auditWords(action: string, target: string | null, language: Language): string {
  const [about = '', what = ''] = action.split('.');
  const did: Readonly<Record<string, Readonly<Record<string, string>>>> = DID[language];
  return did[about]?.[what]?.replace('{{target}}', target ?? '').trim() ?? action;
}
