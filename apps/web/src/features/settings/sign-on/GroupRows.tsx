import { listRoles, ROLES, type SignOnGroup } from '@milepost/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { ScopeField } from '../../../people/ScopeField.tsx';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { TextField } from '../../../ui/TextField.tsx';
import styles from './SignOn.module.css';

interface Props {
  readonly groups: readonly SignOnGroup[];
  readonly onChange: (groups: readonly SignOnGroup[]) => void;
  readonly error: string | undefined;
}

/** The provider's groups with the role of each, in the order in which they are looked for. */
export function GroupRows({ groups, onChange, error }: Props) {
  const { t } = useTranslation(['signOn', 'shell']);
  const { data: roles = [] } = useQuery({ queryKey: ['roles'], queryFn: () => call(listRoles) });
  const options = [
    ...ROLES.map(role => ({ value: role as string, label: t(`shell:role.${role}`) })),
    ...roles.filter(({ builtIn }) => !builtIn).map(({ id, name }) => ({ value: id, label: name })),
  ];
  const change = (at: number, part: Partial<SignOnGroup>): void =>
    onChange(groups.map((group, i) => (i === at ? { ...group, ...part } : group)));
  const choose = (at: number, value: string): void => {
    const custom = roles.find(({ builtIn, id }) => !builtIn && id === value);
    const role = custom?.basedOn ?? ROLES.find(each => each === value) ?? 'viewer';
    change(at, { role, customRoleId: custom?.id ?? null, ...(role === 'owner' && { scope: null }) });
  };
  return (
    <>
      {groups.map(({ customRoleId, group, role, scope }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the order; two may be alike while typed.
        <fieldset key={i} className={styles.row}>
          <legend>{t('roles.row', { n: i + 1 })}</legend>
          <TextField
            name={`groups.${i}.group`}
            label={t('roles.group')}
            value={group}
            spellCheck={false}
            onChange={event => change(i, { group: event.currentTarget.value })}
          />
          <SelectField
            name={`groups.${i}.role`}
            label={t('roles.role')}
            value={customRoleId ?? role}
            options={options}
            onChange={event => choose(i, event.currentTarget.value)}
          />
          <IconButton
            label={t('roles.remove', { n: i + 1 })}
            onClick={() => onChange(groups.filter((_, at) => at !== i))}
          >
            <IconTrash size={18} stroke={1.75} aria-hidden />
          </IconButton>
          {role !== 'owner' && (
            <div className={styles.scope}>
              <ScopeField value={scope} onChange={value => change(i, { scope: value })} />
            </div>
          )}
        </fieldset>
      ))}
      {error && <p className={styles.error}>{error}</p>}
      <div>
        <Button
          icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => onChange([...groups, { group: '', role: 'viewer', customRoleId: null, scope: null }])}
        >
          {t('roles.add')}
        </Button>
      </div>
    </>
  );
}
