import type { Scope } from '@milepost/contract';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../base/session/session.ts';
import { useOrganisation } from '../organisation/organisation.ts';
import { Button } from '../ui/Button.tsx';
import { Checkbox } from '../ui/Checkbox.tsx';
import { Popover } from '../ui/Popover.tsx';
import { Token } from '../ui/Token.tsx';
import styles from './ScopeField.module.css';
import { type Choice, scopeChoices } from './scope-choices.ts';

interface Props {
  readonly value: Scope | null;
  readonly onChange: (scope: Scope | null) => void;
  readonly error?: string | undefined;
  readonly disabled?: boolean;
  /** The current user is limited too, so they can't give access to everything. */
  readonly isLimited?: boolean;
}

const NOTHING: Scope = { folderIds: [], departmentIds: [] };

/** All folders and departments as options, with their depth in the tree. */
export function useChoices(): readonly Choice[] {
  const folders = useOrganisation(state => state.folders);
  const departments = useOrganisation(state => state.departments);
  return scopeChoices({ folders, departments }, null);
}

/** Limits a user to certain folders and departments. With none chosen, they see everything. */
export function ScopeField({ value, onChange, error, disabled = false, isLimited = false }: Props) {
  const { t } = useTranslation('people');
  const choices = useChoices();
  const organisation = useOrganisation(state => state);
  const held = useSession(({ me }) => me?.scope ?? null);
  const offered = isLimited ? scopeChoices(organisation, held ?? NOTHING) : choices;
  const isChosen = ({ kind, id }: Choice) => value?.[kind].includes(id) ?? false;
  const chosen = choices.filter(isChosen);

  function toggle(choice: Choice): void {
    const scope = value ?? { folderIds: [], departmentIds: [] };
    const ids = scope[choice.kind];
    onChange({
      ...scope,
      [choice.kind]: ids.includes(choice.id) ? ids.filter(id => id !== choice.id) : [...ids, choice.id],
    });
  }

  return (
    <fieldset className={styles.scope} disabled={disabled}>
      <legend>{t('scope.title')}</legend>
      {!isLimited && (
        <div className={styles.choice}>
          <label>
            <input type="radio" checked={value === null} onChange={() => onChange(null)} />
            {t('scope.everything')}
          </label>
          <label>
            <input
              type="radio"
              checked={value !== null}
              onChange={() => onChange({ folderIds: [], departmentIds: [] })}
            />
            {t('scope.some')}
          </label>
        </div>
      )}
      {value !== null && (
        <div className={styles.tokens}>
          {chosen.map(choice => (
            <Token
              key={choice.kind + choice.id}
              removeLabel={t('scope.remove', { name: choice.name })}
              onRemove={() => toggle(choice)}
            >
              {choice.name}
            </Token>
          ))}
          <Popover
            label={t('scope.choose')}
            trigger={props => (
              <Button
                {...props}
                data-field="scope"
                icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
                disabled={disabled}
              >
                {t('scope.add')}
              </Button>
            )}
          >
            {offered.length === 0 ? (
              <p>{t('scope.none')}</p>
            ) : (
              (['folderIds', 'departmentIds'] as const).map(kind => (
                <fieldset key={kind} className={styles.list}>
                  <legend>{t(`scope.${kind}`)}</legend>
                  {offered
                    .filter(choice => choice.kind === kind)
                    .map(choice => (
                      <span key={choice.id} style={{ paddingInlineStart: choice.depth * 18 }}>
                        <Checkbox checked={isChosen(choice)} onChange={() => toggle(choice)}>
                          {choice.name}
                        </Checkbox>
                      </span>
                    ))}
                </fieldset>
              ))
            )}
          </Popover>
        </div>
      )}
      {value !== null && chosen.length === 0 && <p className={styles.hint}>{t('scope.nothing')}</p>}
      {error && <p className={styles.error}>{error}</p>}
    </fieldset>
  );
}
