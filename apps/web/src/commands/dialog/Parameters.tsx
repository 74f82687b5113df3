import type { CommandParameter } from '@milepost/contract';
import { fromKilometresPerHour, metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../format/duration.ts';
import { distanceFigure, joined, type MeasureSystem, speedFigure } from '../../format/measure.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import type { Form } from '../../forms/use-form.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { OfferedCommand } from '../offers.ts';
import { type CommandValues, fieldsOf } from './command-form.ts';
import styles from './Details.module.css';

const NUMBERS: ReadonlySet<CommandParameter> = new Set([
  'seconds',
  'minutes',
  'metres',
  'speed',
  'number',
  'output',
  'camera',
  'radius',
  'port',
]);

/** How a typed value reads in the user's units. */
const READ_AS: Partial<Record<CommandParameter, (value: number, system: MeasureSystem) => string>> = {
  seconds: value => formatDuration(value * 1000),
  metres: (value, system) => joined(distanceFigure(metres(value), system)),
  radius: (value, system) => joined(distanceFigure(metres(value), system)),
  speed: (value, system) => joined(speedFigure(fromKilometresPerHour(value), system)),
};

/** The fields for the command's parameters. */
export function Parameters({ command, form }: { command: OfferedCommand; form: Form<CommandValues> }) {
  const { t } = useTranslation('commands');
  const system = useMeasureSystem();
  const fields = fieldsOf(command);
  if (fields.length === 0) return null;
  return (
    <div className={styles.fields}>
      {fields.map(({ name, required }) => {
        const text = form.text(`params.${name}`);
        const value = Number(text.value);
        const readAs = text.value !== '' && value > 0 ? READ_AS[name]?.(value, system) : undefined;
        const label = t(`parameter.${name}`);
        const optional = required ? undefined : t('optional');
        if (name === 'password') {
          return (
            <PasswordField
              key={name}
              {...text}
              label={label}
              optional={optional}
              showLabel={t('show')}
              autoComplete="off"
            />
          );
        }
        return (
          <TextField
            key={name}
            {...text}
            label={label}
            optional={optional}
            hint={readAs && t('equals', { value: readAs })}
            inputMode={NUMBERS.has(name) ? 'numeric' : undefined}
            autoComplete="off"
            spellCheck={false}
          />
        );
      })}
    </div>
  );
}
