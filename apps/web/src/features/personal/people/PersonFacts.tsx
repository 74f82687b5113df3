import type { Driver } from '@milepost/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ExpiryChip } from '../../../documents/ExpiryChip.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { UnitCell } from './cells.tsx';
import { spacedCard, spacedPhone } from './person-values.ts';

/** A person's known fields. */
export function PersonFacts({ person }: { readonly person: Driver }) {
  const { t } = useTranslation('personal');
  const { phone, email, licenceRegion, licenceNumber, licenceClass, licenceExpiresOn, card, notes } = person;
  const licence = [licenceRegion, licenceNumber].filter(Boolean).join(' ');
  const facts: [string, ReactNode][] = [
    [t('facts.unit'), person.vehicle && <UnitCell person={person} />],
    [t('fields.phone'), phone && <a href={`tel:${phone}`}>{spacedPhone(phone)}</a>],
    [t('fields.email'), email && <a href={`mailto:${email}`}>{email}</a>],
    [t('facts.licence'), licence],
    [t('fields.licenceClass'), licenceClass],
    [t('fields.licenceExpiresOn'), licenceExpiresOn && <ExpiryChip expiresOn={licenceExpiresOn} exact />],
    [t('fields.card'), card && <code>{spacedCard(card)}</code>],
    [t('fields.notes'), notes],
  ];
  return <FactList facts={facts} />;
}
