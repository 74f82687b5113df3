/** Why an entry may not be written into a log: codes, each with its sentence. */
export const REFUSALS = {
  'wrong-log': 'The entry belongs to another log.',
  'known-id': 'An entry with this id is in the log already.',
  'recorded-backward': 'The entry was written down before the one before it.',
  'in-the-future': 'The event lies in the future.',
  'unknown-record': 'The record that the entry points at is not in the log.',
  'not-active': 'The record was changed meanwhile; only an active one can be changed.',
  'not-editable': 'Only duty status, personal use and yard moves can be entered or changed by a person.',
  'other-type': 'A change keeps the type of the record.',
  'moved-too-far': 'A change moves a record by a day at most.',
  'wrong-origin': 'The origin of the event does not fit who made it.',
  'reason-missing': 'A change needs a reason of 4 to 60 characters.',
  'driving-shortened': 'Automatically recorded driving can’t be shortened or taken away.',
  'not-certified': 'A carrier may ask for a change once the driver has certified the day.',
  'not-pending': 'This proposal was decided already.',
  'day-not-over': 'A day can be certified when it is over.',
  'nothing-to-certify': 'The day is certified and was not changed since.',
  'wrong-certification': 'The number of the certification does not follow the one before.',
  'unidentified-log': 'In the log of unidentified driving records are only made, taken over and remarked on.',
  'drivers-log': 'Only records of unidentified driving are taken over, from a log of unidentified driving.',
} as const;
export type Refusal = keyof typeof REFUSALS;
