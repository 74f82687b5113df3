import { readVerifiableLog } from '@milepost/contract';
import type { Verdict } from '@milepost/eld';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { loadChunk } from '../../../base/chunks/load-chunk.ts';
import { describeError } from '../../../base/describe-error.ts';
import { formatCount } from '../../../format/locale.ts';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import styles from './Panels.module.css';

/** Verifies the whole log in the browser, with the same code as the offline page (N1): the server's word isn't needed. */
export function VerifyCard({ driverId }: { readonly driverId: string }) {
  const { t } = useTranslation('eld');
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async (): Promise<Verdict> => {
      const [file, { verifyFile }] = await Promise.all([
        call(readVerifiableLog, { query: { driverId, purpose: 'check' } }),
        loadChunk(() => import('./verify-bytes.ts')),
      ]);
      return verifyFile(new Uint8Array(await file.arrayBuffer()));
    },
  });
  return (
    <section className={styles.card}>
      <header>
        <h2>{t('verify.title')}</h2>
        {data?.ok && <Chip tone="ok">{t('verify.ok')}</Chip>}
      </header>
      <p>{t('verify.text')}</p>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      {data && !data.ok && (
        <Notice tone="critical" role="alert">
          <b>{t('verify.failed')}</b> {data.sentence}
        </Notice>
      )}
      {data?.ok && data.kind === 'log' && <Found log={data.log} />}
      <Button className={styles.verify} busy={isPending} onClick={() => mutate()}>
        {t(data ? 'verify.again' : 'verify.action')}
      </Button>
    </section>
  );
}

function Found({ log }: { readonly log: Extract<Verdict, { readonly kind: 'log'; readonly ok: true }>['log'] }) {
  const { t } = useTranslation('eld');
  const root = log.roots.at(-1);
  return (
    <div role="status">
      <p>
        {t('verify.found', { count: log.entries, n: formatCount(log.entries), chains: formatCount(log.chains.length) })}
      </p>
      {root && (
        <p className={styles.root}>
          {t('verify.root', { day: root.day })} <code>{root.root}</code>
        </p>
      )}
    </div>
  );
}
