import { readTenant, type Tenant } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { BrandForm } from '../branding/BrandForm.tsx';
import { SectionFrame } from '../SectionFrame.tsx';

const TENANT_QUERY = ['tenant'] as const;

/** The tenant's logo, splash image, three colors, name and address [R3.07]. */
export function BrandingSection() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery({
    queryKey: TENANT_QUERY,
    queryFn: async (): Promise<Tenant | null> => (await call(readTenant)).tenant,
  });
  if (data) return <BrandForm tenant={data} />;
  return (
    <SectionFrame title={t('sections.branding')}>
      <RegistryState
        total={data === null ? 0 : undefined}
        error={error}
        onRetry={() => void refetch()}
        onClear={() => {}}
        empty={{ title: t('branding.none'), text: '' }}
      />
    </SectionFrame>
  );
}
