import { ALERT_KINDS, type AlertKind, SEVERITIES, SEVERITY_OF_KIND, type Severity } from '@milepost/contract';
import { IconCheck } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { ICON_OF_SEVERITY } from '../alerts/alert-icons.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import hidden from '../ui/hidden.module.css';
import styles from './KindTable.module.css';

interface Props {
  readonly chosen: readonly AlertKind[];
  readonly onChoose: (kinds: AlertKind[]) => void;
  readonly label: string;
  readonly disabled?: boolean;
}

const kindsOf = (severity: Severity): AlertKind[] => ALERT_KINDS.filter(kind => SEVERITY_OF_KIND[kind] === severity);

/**
 * Which kinds of alerts are also sent by email, chosen one by one or by severity. All alerts always appear in the app.
 */
export function KindTable({ chosen, onChoose, label, disabled = false }: Props) {
  const { t } = useTranslation(['notifications', 'alerts']);
  const set = (kinds: readonly AlertKind[], on: boolean): void =>
    onChoose(ALERT_KINDS.filter(kind => (kinds.includes(kind) ? on : chosen.includes(kind))));
  const box = (kinds: readonly AlertKind[], name: string) => {
    const count = kinds.filter(kind => chosen.includes(kind)).length;
    return (
      <Checkbox
        className={styles.cell}
        checked={count === kinds.length}
        mixed={count > 0 && count < kinds.length}
        disabled={disabled}
        onChange={event => set(kinds, event.currentTarget.checked)}
      >
        <span className={hidden.hidden}>{t('kinds.byMail', { what: name })}</span>
      </Checkbox>
    );
  };
  return (
    <table className={styles.table} aria-label={label} data-off={disabled || undefined}>
      <thead>
        <tr>
          <th scope="col">{t('kinds.alert')}</th>
          <th scope="col">{t('kinds.inApp')}</th>
          <th scope="col">{t('kinds.mail')}</th>
        </tr>
      </thead>
      <tbody>
        {SEVERITIES.map(severity => {
          const Icon = ICON_OF_SEVERITY[severity];
          const name = t(`alerts:severity.${severity}`);
          return (
            <Fragment key={severity}>
              <tr className={styles.group} data-severity={severity}>
                <th scope="row">
                  <Icon size={16} stroke={1.75} aria-hidden />
                  {name}
                </th>
                <td />
                <td>{box(kindsOf(severity), t('kinds.all', { severity: name }))}</td>
              </tr>
              {kindsOf(severity).map(kind => (
                <tr key={kind}>
                  <th scope="row">{t(`alerts:kind.${kind}`)}</th>
                  <td>
                    <IconCheck
                      className={styles.always}
                      size={16}
                      stroke={1.75}
                      role="img"
                      aria-label={t('kinds.always')}
                    />
                  </td>
                  <td>{box([kind], t(`alerts:kind.${kind}`))}</td>
                </tr>
              ))}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}
