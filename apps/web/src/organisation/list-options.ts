import type { Option } from '../ui/SelectField.tsx';

/** What stands for none, and for a value that the list does not have: it is there all the same. */
interface Words {
  readonly none: string;
  readonly unlisted: string;
}

/** Options from a server list; null: not loaded. No value: none. */
export function listOptions(list: readonly Option[] | null, value: string, { none, unlisted }: Words): Option[] {
  const options = [{ value: '', label: none }, ...(list ?? [])];
  return options.some(option => option.value === value) ? options : [...options, { value, label: unlisted }];
}
