/** What is wrong with an output file. */
const OUTPUT_FAULTS = {
  'not-an-output-file': 'This is not an ELD output file.',
  'too-large': 'This is larger than any ELD output file.',
  'cut-off': 'The end of the file is missing.',
  'line-end': 'Lines must end with a carriage return only.',
  character: 'The file must contain printable ASCII characters only.',
  'wrong-title': 'The section title is missing here: {expected}',
  'too-much': 'Nothing can follow the file’s check value.',
  columns: 'The line should have {expected} fields and a check value; it has {found} in all.',
  field: 'The field {column} {says}.',
  'unknown-code': 'Events of type {type} do not have a code {found}.',
  'line-check': 'The line does not match its check value {found}; it should be {expected}.',
  'event-check': 'The event does not match its check value {found}; it should be {expected}.',
  'file-check': 'The file does not match its check value {found}; it should be {expected}.',
  order: 'The newest record must come first; this one is newer than the one above.',
  numbering: 'The order numbers count up from 1; this one is {found}.',
  'unknown-vehicle': 'The list of vehicles has no number {found}.',
  'unknown-user': 'The list of users has no number {found}.',
  'lonely-annotation': 'There is no event with the sequence id {found} at that time.',
  digest: 'The file’s digest does not match: a character that the check values do not cover was changed.',
} as const;
export type OutputFaultCode = keyof typeof OUTPUT_FAULTS;

export interface OutputFault {
  readonly code: OutputFaultCode;
  /** From 1; null if the fault concerns the whole file. */
  readonly line: number | null;
  /** The section's title; null outside sections. */
  readonly section: string | null;
  readonly params: Readonly<Record<string, string | number>>;
}

/** The fault as a sentence, with the line in front. */
export function describeOutputFault({ code, line, section, params }: OutputFault): string {
  const sentence = OUTPUT_FAULTS[code].replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
  const where = line === null ? '' : `Line ${line}${section === null ? '' : `, ${section.replace(/:$/, '')}`}: `;
  return where + sentence;
}
