import { may } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../base/session/session.ts';
import type { StoredMe } from '../../../base/session/stored-me.ts';
import type { Form } from '../../../forms/use-form.ts';
import type { GroupNode } from '../../../organisation/groups.ts';
import { ListField } from '../../../organisation/ListField.tsx';
import { useGroupList } from '../../../organisation/use-group-list.ts';
import { useMyUsers, useReadUsers } from '../../../people/my-users.ts';
import { TextArea, TextField } from '../../../ui/TextField.tsx';
import styles from './PersonFields.module.css';
import type { PersonValues } from './person-values.ts';

interface Props {
  readonly form: Form<PersonValues>;
  readonly nodes: readonly GroupNode[];
  readonly autoFocus?: boolean;
}

/** All fields of a person, new or existing. */
export function PersonFields({ form, nodes, autoFocus = false }: Props) {
  const { t } = useTranslation(['personal', 'forms']);
  const optional = t('forms:optional');
  const seesDepartments = useSession(({ me }) => me !== null && may(me, 'organisation.read'));
  const departments = useGroupList('department', nodes);
  return (
    <>
      <TextField
        {...form.text('name')}
        label={t('fields.name')}
        autoComplete="off"
        maxLength={80}
        data-autofocus={autoFocus || undefined}
      />
      <div className={styles.pair}>
        <TextField
          {...form.text('phone')}
          type="tel"
          label={t('fields.phone')}
          optional={optional}
          autoComplete="off"
        />
        <TextField
          {...form.text('email')}
          type="email"
          label={t('fields.email')}
          optional={optional}
          autoComplete="off"
        />
      </div>
      {seesDepartments && (
        <ListField
          {...form.text('departmentId')}
          label={t('fields.department')}
          none={t('noDepartment')}
          {...departments}
        />
      )}
      <div className={styles.pair}>
        <TextField
          {...form.text('licenceNumber')}
          label={t('fields.licenceNumber')}
          optional={optional}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          {...form.text('licenceRegion')}
          label={t('fields.licenceRegion')}
          optional={optional}
          autoComplete="off"
        />
      </div>
      <div className={styles.pair}>
        <TextField
          {...form.text('licenceClass')}
          label={t('fields.licenceClass')}
          optional={optional}
          autoComplete="off"
        />
        <TextField
          {...form.text('licenceExpiresOn')}
          type="date"
          label={t('fields.licenceExpiresOn')}
          optional={optional}
        />
      </div>
      <TextField
        {...form.text('card')}
        label={t('fields.card')}
        optional={optional}
        hint={t('fields.cardHint')}
        autoComplete="off"
        spellCheck={false}
      />
      <UserField form={form} />
      <TextArea {...form.text('notes')} label={t('fields.notes')} optional={optional} rows={2} />
    </>
  );
}

/** The user that this driver signs in as; it decides what the driver may see. */
function UserField({ form }: Pick<Props, 'form'>) {
  const me = useSession(session => session.me);
  return me && may(me, 'users.read') ? <UserSelect form={form} me={me} /> : null;
}

function UserSelect({ form, me }: Pick<Props, 'form'> & { readonly me: StoredMe }) {
  const { t } = useTranslation(['personal', 'forms']);
  const { error } = useReadUsers();
  const users = useMyUsers(state => state.allMyUsers);
  return (
    <ListField
      {...form.text('userId')}
      label={t('fields.user')}
      optional={t('forms:optional')}
      hint={t('fields.userHint')}
      none={t('fields.noUser')}
      list={
        users && [
          { value: me.id, label: t('fields.you', { name: me.displayName }) },
          ...users.map(({ id, displayName, userName }) => ({ value: id, label: `${displayName} (${userName})` })),
        ]
      }
      readError={error}
    />
  );
}

/** The field next to which each of the server's errors is shown. */
export const PROBLEM_FIELDS = {
  'card-taken': 'card',
  'licence-taken': 'licenceNumber',
  'user-taken': 'userId',
  'not-found': 'departmentId',
} as const satisfies Record<string, keyof PersonValues>;
