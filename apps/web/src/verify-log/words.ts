import type { Verdict } from '@milepost/eld';

/** What the page says about a verdict: a heading, a sentence, and terms with what was found. */
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
