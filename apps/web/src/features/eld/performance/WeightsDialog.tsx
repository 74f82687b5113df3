import {
  PERFORMANCE_KINDS,
  type PerformanceKind,
  type PerformanceWeights,
  performanceWeightsSchema,
  updatePerformanceWeights,
} from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { typedNumber, typedText } from '../../../format/typed.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import { useRefresh } from '../use-refresh.ts';
import { scoredDistance } from './score-words.ts';

type Values = Readonly<Record<PerformanceKind, string>>;

/** How many points each event costs. */
export function WeightsDialog({
  weights,
  onClose,
}: {
  readonly weights: PerformanceWeights;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation(['eld', 'forms']);
  const system = useMeasureSystem();
  const refresh = useRefresh();
  const [initial] = useState(
    () => Object.fromEntries(PERFORMANCE_KINDS.map(kind => [kind, typedText(weights[kind])])) as Values,
  );
  const form = useForm({
    schema: performanceWeightsSchema,
    initial,
    toBody: values => Object.fromEntries(PERFORMANCE_KINDS.map(kind => [kind, typedNumber(values[kind])])),
    save: body => call(updatePerformanceWeights, { body }),
    onSaved: () => {
      toast(t('weights.saved'));
      void refresh();
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('weights.title')} closeLabel={t('forms:close')}>
      <FormFrame form={form} guarded>
        <p>{t('performance.formula', { distance: scoredDistance(system) })}</p>
        {PERFORMANCE_KINDS.map(kind => (
          <TextField
            key={kind}
            {...form.text(kind)}
            label={t(`performance.kind.${kind}`)}
            inputMode="decimal"
            autoComplete="off"
          />
        ))}
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button variant="primary" type="submit" busy={form.saving}>
            {t('carrier.action')}
          </Button>
        </DialogActions>
      </FormFrame>
    </Dialog>
  );
}
