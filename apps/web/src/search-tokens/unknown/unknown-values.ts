import { NOBODY, readNear, SIZE_FIELDS, type SizeField, WORD_FIELDS, type WordField } from '../fields.ts';
import { isOnPath, plain, startsWord } from '../matches.ts';
import type { Search } from '../search-text.ts';

/** What there is to search for. A list that isn't loaded, or that the user can't see, is missing: nothing is said of it. */
export interface KnownNames {
  readonly geofences?: readonly string[] | undefined;
  /** Places of `near:` that were found. */
  readonly places?: ReadonlyMap<string, unknown> | undefined;
  /** Each as the names from the top down. */
  readonly folders?: readonly (readonly string[])[] | undefined;
  readonly departments?: readonly (readonly string[])[] | undefined;
  readonly drivers?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly trackers?: readonly string[] | undefined;
}

/** A value that nothing has the name of, or that its field can't have. */
export type UnknownValue =
  | { readonly field: WordField; readonly value: string }
  /** `speed>fast`: the whole of it. */
  | { readonly field: 'size'; readonly of: SizeField; readonly value: string };

const TYPED = new RegExp(`^-?(${WORD_FIELDS.join('|')}):(.+)$|^(${SIZE_FIELDS.join('|')})[<>:](.+)$`, 'i');

/** The values of a search that don't exist, so that an empty list says why. `known` has what exists. */
export function unknownValues({ tokens, words }: Search, known: KnownNames): readonly UnknownValue[] {
  const named = tokens.flatMap(token =>
    token.kind === 'size'
      ? []
      : token.values
          .filter(value => !exists(token.field, value, known))
          .map(
            (value): UnknownValue => ({
              field: token.field,
              value: token.field === 'near' ? readNear(value).place : value,
            }),
          ),
  );
  // What is no token is searched for as a word, which finds nothing if it was meant as one.
  const meant = words.flatMap((word): UnknownValue[] => {
    const [, field, value, size] = TYPED.exec(word) ?? [];
    if (size !== undefined) return [{ field: 'size', of: size.toLowerCase() as SizeField, value: word }];
    const wordField = WORD_FIELDS.find(one => one === field?.toLowerCase());
    // Other fields take any value: this one was quoted, to search for it as it is.
    return value !== undefined && (wordField === 'status' || wordField === 'is') ? [{ field: wordField, value }] : [];
  });
  return [...named, ...meant];
}

function exists(field: WordField, written: string, known: KnownNames): boolean {
  const value = plain(written);
  const isNone = value === NOBODY;
  switch (field) {
    case 'in':
      return isNone || (known.geofences?.some(name => startsWord(name, value)) ?? true);
    case 'near':
      return known.places?.has(readNear(written).place) ?? true;
    case 'folder':
      return isNone || (known.folders?.some(path => isOnPath(path, value)) ?? true);
    case 'department':
      return isNone || (known.departments?.some(path => isOnPath(path, value)) ?? true);
    case 'driver':
      return isNone || (known.drivers?.some(name => startsWord(name, value)) ?? true);
    case 'tag':
      return known.tags?.some(tag => plain(tag) === value) ?? true;
    case 'model':
      return known.models?.some(name => startsWord(name, value)) ?? true;
    case 'tracker':
      return known.trackers?.some(name => startsWord(name, value)) ?? true;
    case 'status':
    case 'is':
      return true;
  }
}
