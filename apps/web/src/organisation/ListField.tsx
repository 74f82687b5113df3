import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { type Option, SelectField } from '../ui/SelectField.tsx';
import { listOptions } from './list-options.ts';

interface Props extends Omit<ComponentProps<typeof SelectField>, 'options' | 'disabled'> {
  readonly value: string;
  /** What stands for none of the list. */
  readonly none: string;
  /** Null until it was read. */
  readonly list: readonly Option[] | null;
  /** Why it could not be read. */
  readonly readError: unknown;
}

/** One of a list of the server, or none: until the list was read nothing can be chosen, and what is chosen stays. */
export function ListField({ none, list, readError, hint, ...field }: Props) {
  const { t } = useTranslation(['organisation', 'registry']);
  const unread = readError ? t('registry:failed') : t('registry:loading');
  const words = { none, unlisted: list === null ? unread : t('unlisted') };
  return (
    <SelectField
      {...field}
      hint={list === null && readError ? describeError(readError).message : hint}
      options={listOptions(list, field.value, words)}
      disabled={list === null}
    />
  );
}
