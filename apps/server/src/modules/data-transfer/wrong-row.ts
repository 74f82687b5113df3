/** A row that can't be what it says: what is wrong with it. */
export class WrongRow extends Error {}
