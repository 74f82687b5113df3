import type { Option } from '../ui/SelectField.tsx';

/** What stands for none, and for a value that the list does not have: it is there all the same. */
interface Words {
  readonly none: string;
  readonly unlisted: string;
}

/** What a list that came from the server offers; null is a list that was not read. Without a value it is none. */
export function listOptions(list: readonly Option[] | null, value: string, { none, unlisted }: Words): Option[] {
  const options = [{ value: '', label: none }, ...(list ?? [])];
  return options.some(option => option.value === value) ? options : [...options, { value, label: unlisted }];
}
