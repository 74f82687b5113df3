import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { typedNumber } from '../../../format/typed.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { ownUnit, SIZE_FIELDS, type SizeField } from '../../../search-tokens/fields.ts';
import { parseSearch, type SizeToken } from '../../../search-tokens/search-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './Filter.module.css';

/** Adds a comparison: a figure, above or below, and a limit. */
export function SizeForm({ onAdd }: { readonly onAdd: (token: SizeToken) => void }) {
  const { t } = useTranslation(['fleet', 'searchTokens']);
  const system = useMeasureSystem();
  const [field, setField] = useState<SizeField>('speed');
  const [sign, setSign] = useState('>');
  const [amount, setAmount] = useState('');
  const [error, setError] = useState('');
  const unit = ownUnit(field, system);
  return (
    <form
      className={styles.size}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        const [token] = parseSearch(`${field}${sign}${typedNumber(amount)}`, system).tokens;
        if (token?.kind !== 'size') return setError(t('filter.noNumber'));
        onAdd(token);
        setAmount('');
      }}
    >
      <SelectField
        label={t('filter.size')}
        value={field}
        onChange={event => setField(event.currentTarget.value as SizeField)}
        options={SIZE_FIELDS.map(value => ({ value, label: t(`searchTokens:fields.${value}`) }))}
      />
      <SelectField
        label={t('filter.sign')}
        value={sign}
        onChange={event => setSign(event.currentTarget.value)}
        options={['>', '<'].map(value => ({ value, label: t(value === '>' ? 'filter.over' : 'filter.under') }))}
      />
      <TextField
        label={unit === '' ? t('filter.amount') : t('filter.amountIn', { unit })}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        error={error}
        onChange={event => {
          setAmount(event.currentTarget.value);
          setError('');
        }}
      />
      <Button type="submit">{t('filter.add')}</Button>
    </form>
  );
}
