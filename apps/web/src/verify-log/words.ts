import type { Verdict } from '@milepost/eld';

/** What the page says about a result: a heading, a sentence, and terms with their findings. */
export interface Words {
  readonly heading: string;
  readonly sentence: string;
  readonly terms: readonly (readonly [term: string, found: readonly string[]])[];
}

export function wordsOf(verdict: Verdict, name: string): Words {
  if (!verdict.ok) return { heading: `${name} failed the check`, sentence: verdict.sentence, terms: [] };
  if (verdict.kind === 'log') {
    const { log, entries, chains, roots, fromStart } = verdict.log;
    return {
      heading: `${name} is complete and unchanged`,
      sentence: fromStart
        ? 'Every record follows from the one before it, is allowed by the rules, and is in the chain of the device that made it.'
        : 'Every record follows from the one before it. The file begins in the middle of the log.',
      terms: [
        ['Log', [`${log}, ${entries} ${entries === 1 ? 'record' : 'records'}`]],
        ['Chains and their last hash', chains.map(({ chain, head }) => `${chain} ${head}`)],
        ['Daily roots', roots.map(({ day, count, root }) => `${day} (${count}) ${root}`)],
      ],
    };
  }
  if (verdict.kind === 'sealed-file') {
    const { bytes, madeAt, sha256 } = verdict.file;
    return {
      heading:
        madeAt === null ? `${name} is the file you have kept the SHA-256 of` : `${name} is complete and unchanged`,
      sentence:
        madeAt === null
          ? 'Not a byte of it is different.'
          : 'Every byte of this evidence pack, the attached data included, matches its seal. Only a SHA-256 kept elsewhere can show that the whole pack was not written anew: compare the one below, or enter the one you have kept above.',
      terms: [
        ...(madeAt === null ? [] : [['Created (UTC)', [madeAt]] as const]),
        ['Size', [`${bytes.toLocaleString('en-US')} bytes`]],
        ['SHA-256', [sha256]],
      ],
    };
  }
  const { driver, madeAt, records, preview, comment } = verdict.file;
  return {
    heading: `${name} matches its check values`,
    sentence: preview
      ? 'Its digest matches, too. This is a preview by Milepost, not the file of a registered ELD.'
      : 'Check values find accidental changes. Someone who changes a file on purpose can recalculate them.',
    terms: [
      ['Driver', [driver]],
      ['Created (MMDDYY HHMMSS)', [madeAt]],
      ['Records', [String(records)]],
      ['Comment', [comment === '' ? '–' : comment]],
    ],
  };
}
