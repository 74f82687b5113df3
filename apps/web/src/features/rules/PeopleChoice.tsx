import { useTranslation } from 'react-i18next';
import { useSession } from '../../base/session/session.ts';
import { useMyUsers, useReadUsers } from '../../people/my-users.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Choices } from './Choices.tsx';
import styles from './RuleForm.module.css';

interface Props {
  readonly legend: string;
  readonly name: string;
  /** Explains what happens if nobody is chosen. */
  readonly none: string;
  readonly hint: string;
  readonly value: readonly string[] | null;
  readonly onChange: (value: readonly string[] | null) => void;
}

/** Chooses certain people, or nobody in particular. */
export function PeopleChoice({ hint, legend, name, none, onChange, value }: Props) {
  const { t } = useTranslation('rules');
  const people = usePeople();
  return (
    <>
      <Choices
        legend={legend}
        name={name}
        options={[
          { value: 'none' as const, label: none },
          { value: 'these' as const, label: t('peopleText.these') },
        ]}
        chosen={value === null ? 'none' : 'these'}
        onChoose={kind => onChange(kind === 'none' ? null : (value ?? []))}
      />
      {value !== null && (
        <div className={styles.people}>
          {people.map(({ id, displayName }) => (
            <Checkbox
              key={id}
              checked={value.includes(id)}
              onChange={event =>
                onChange(event.currentTarget.checked ? [...value, id] : value.filter(one => one !== id))
              }
            >
              {displayName}
            </Checkbox>
          ))}
        </div>
      )}
      <p className={styles.quiet}>{hint}</p>
    </>
  );
}

/** The account's users, the current user first. */
export function usePeople(): readonly { readonly id: string; readonly displayName: string }[] {
  useReadUsers();
  const me = useSession(session => session.me);
  const others = useMyUsers(state => state.known);
  return [...(me ? [{ id: me.id, displayName: me.displayName }] : []), ...others];
}
