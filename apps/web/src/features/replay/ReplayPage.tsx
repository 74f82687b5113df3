import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { useAccountZone } from '../../base/account-settings.ts';
import { type Address, pathOf, readAddress } from './address.ts';
import { dayOf, neighborOf } from './days.ts';
import { Replay } from './Replay.tsx';
import styles from './ReplayPage.module.css';

/** `/replay`: the past of several vehicles on one clock. Everything on it is in the address [R2.06]. */
export function Component() {
  const { t } = useTranslation(['replay', 'shell']);
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const zone = useAccountZone();
  const address = readAddress(parameters);
  // The clock and a click can both change the address before the page has rendered. Neither may undo the other.
  const rendered = useRef(parameters);
  const latest = useRef(address);
  if (rendered.current !== parameters) [rendered.current, latest.current] = [parameters, address];
  const go = (change: Partial<Address>): void => {
    latest.current = { ...latest.current, ...change };
    void navigate(pathOf(latest.current), { replace: true });
  };
  /** To the day before or after the one that was asked for last, which may not be shown yet. */
  const step = (direction: 1 | -1): void => {
    const { range } = latest.current;
    if (range && (direction === -1 || range.toMs <= Date.now())) {
      go({ range: neighborOf(range, direction, zone), atMs: null });
    }
  };

  // The account's day is in the address from the start, so that the link means the same tomorrow and elsewhere.
  const { range } = address;
  const isDated = range !== null;
  useEffect(() => {
    if (isDated || zone === undefined) return;
    const given = readAddress(parameters);
    void navigate(pathOf({ ...given, atMs: null, range: dayOf(Date.now(), zone) }), { replace: true });
  }, [isDated, navigate, parameters, zone]);

  return (
    <>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      {range ? (
        <Replay key={`${range.fromMs}-${range.toMs}`} address={address} range={range} onChange={go} onStep={step} />
      ) : (
        <h1 className={styles.title}>{t('title')}</h1>
      )}
    </>
  );
}
