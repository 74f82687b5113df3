import type { Option } from '../ui/SelectField.tsx';

/** Labels for no value, and for a current value that the list doesn't contain. Such a value is added to the options. */
interface Words {
  readonly none: string;
  readonly unlisted: string;
}

/** Options from a server list; null if it hasn't loaded. The empty value means none. */
export function listOptions(list: readonly Option[] | null, value: string, { none, unlisted }: Words): Option[] {
  const options = [{ value: '', label: none }, ...(list ?? [])];
  return options.some(option => option.value === value) ? options : [...options, { value, label: unlisted }];
}
