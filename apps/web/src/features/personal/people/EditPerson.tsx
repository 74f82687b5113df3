import { type Driver, newDriverSchema, updateDriver } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { FormFrame } from '../../../forms/FormFrame.tsx';
import { changedValues } from '../../../forms/field-messages.ts';
import { SaveBar } from '../../../forms/SaveBar.tsx';
import { useForm } from '../../../forms/use-form.ts';
import type { GroupNode } from '../../../organisation/groups.ts';
import { InspectorBody, InspectorFoot } from '../../../registry/Inspector.tsx';
import { Button } from '../../../ui/Button.tsx';
import { PersonFields, PROBLEM_FIELDS } from './PersonFields.tsx';
import { valuesOf } from './person-values.ts';

interface Props {
  readonly person: Driver;
  readonly nodes: readonly GroupNode[];
  readonly onDone: () => void;
}

const changeSchema = newDriverSchema.partial();

/** A person's fields; only changes are sent. */
export function EditPerson({ person, nodes, onDone }: Props) {
  const { t } = useTranslation(['personal', 'forms']);
  // Updates of the list must not change fields that someone is editing.
  const [initial] = useState(() => valuesOf(person));
  const form = useForm({
    schema: changeSchema,
    initial,
    toBody: values => changedValues(initial, values),
    save: body => call(updateDriver, { params: { id: person.id }, body }),
    onSaved: ({ name }) => {
      toast(t('edit.saved', { name }));
      void changedHere(['driver', person.id]);
      onDone();
    },
    problemFields: PROBLEM_FIELDS,
  });
  return (
    <FormFrame form={form} guarded label={t('edit.label', { name: person.name })}>
      <InspectorBody>
        <PersonFields form={form} nodes={nodes} />
      </InspectorBody>
      <InspectorFoot>
        <SaveBar form={form}>
          <Button onClick={onDone}>{t('forms:cancel')}</Button>
        </SaveBar>
      </InspectorFoot>
    </FormFrame>
  );
}
