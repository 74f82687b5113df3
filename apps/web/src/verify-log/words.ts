import type { Verdict } from '@milepost/eld';

/** What the page says about a verdict: a heading, a sentence, and terms with what was found. */
export interface Words {
  readonly heading: string;
  readonly sentence: string;
  readonly terms: readonly (readonly [term: string, found: readonly string[]])[];
}

export function wordsOf(verdict: Verdict, name: string): Words {
  if (!verdict.ok) return { heading: `${name} does not fit`, sentence: verdict.sentence, terms: [] };
  if (verdict.kind === 'log') {
    const { log, entries, chains, roots, fromStart } = verdict.log;
    return {
      heading: `${name} is whole and unchanged`,
      sentence: fromStart
        ? 'Every record follows from the one before it, could have been written, and is known to the device that made it.'
        : 'Every record follows from the one before it. The file begins in the middle of the log.',
      terms: [
        ['Log', [`${log}, ${entries} ${entries === 1 ? 'record' : 'records'}`]],
        ['Chains, and the hash at their end', chains.map(({ chain, head }) => `${chain} ${head}`)],
        ['Daily roots', roots.map(({ day, count, root }) => `${day} (${count}) ${root}`)],
      ],
    };
  }
  const { driver, madeAt, records, preview, comment } = verdict.file;
  return {
    heading: `${name} fits its check values`,
    sentence: preview
      ? 'Its digest fits, too. This is a preview by Milepost, not the file of a registered ELD.'
      : 'Check values find accidents. Whoever changes a file on purpose can make them fit again.',
    terms: [
      ['Driver', [driver]],
      ['Made at (MMDDYY HHMMSS)', [madeAt]],
      ['Records', [String(records)]],
      ['Comment', [comment === '' ? '–' : comment]],
    ],
  };
}
