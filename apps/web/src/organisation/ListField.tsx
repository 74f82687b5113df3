import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../base/describe-error.ts';
import { type Option, SelectField } from '../ui/SelectField.tsx';
import { listOptions } from './list-options.ts';

interface Props extends Omit<ComponentProps<typeof SelectField>, 'options' | 'disabled'> {
  readonly value: string;
  /** Label of the option for no value. */
  readonly none: string;
  /** Null until the list has loaded. */
  readonly list: readonly Option[] | null;
  /** Why the list couldn't be loaded. */
  readonly readError: unknown;
}

/**
 * A select with options from the server, or no value. Until they have loaded, the current value stays and nothing else
 * can be chosen.
 */
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
