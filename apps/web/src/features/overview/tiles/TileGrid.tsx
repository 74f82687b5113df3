import type { AnyTile } from '@milepost/contract';
import { IconArrowLeft, IconArrowRight, IconEyeOff, IconPlus, IconRestore } from '@tabler/icons-react';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { announce } from '../../../base/announce.ts';
import type { Tile } from '../../../figures/tile-words.ts';
import { Button } from '../../../ui/Button.tsx';
import hidden from '../../../ui/hidden.module.css';
import { IconButton } from '../../../ui/IconButton.tsx';
import { columnsOf, hiddenTiles, moved, shownTiles } from './order.ts';
import { TileCard, useTileName } from './TileCard.tsx';
import styles from './TileGrid.module.css';

interface Props {
  readonly tiles: readonly Tile[];
  /** Those that are still loading. */
  readonly toCome: readonly AnyTile[];
  readonly chosen: readonly AnyTile[] | null;
  readonly onArrange: (tiles: readonly AnyTile[] | null) => void;
  readonly arranging: boolean;
  /** Returns a link to the list behind a tile. */
  readonly linkOf: (tile: Tile) => string;
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** How many columns the tiles take in a window that has room for at most so many. */
const columnsFor = (count: number): CSSProperties =>
  Object.fromEntries([3, 4, 5, 6, 7].map(most => [`--of-${most}`, columnsOf(count, most)]));

/** The trend tiles in the user's order. While arranging, they aren't links; arrow keys and buttons move them. */
export function TileGrid({ tiles, toCome, chosen, onArrange, arranging, linkOf }: Props) {
  const { t } = useTranslation('overview');
  const nameOf = useTileName();
  const shown = shownTiles(chosen);
  const visible = shown.flatMap(key => tiles.find(tile => tile.key === key) ?? []);
  const order = visible.map(({ key }) => key);
  // Nothing is arranged until all are there.
  const places = arranging
    ? visible
    : shown.flatMap(key => tiles.find(tile => tile.key === key) ?? (toCome.includes(key) ? key : []));
  const left = hiddenTiles(shown).filter(key => tiles.some(tile => tile.key === key));

  const move = (key: AnyTile, by: number): void => {
    const next = moved(order, key, by);
    if (next === order) return;
    onArrange(next);
    const params = { name: t(`tiles.${key}`), place: next.indexOf(key) + 1, count: next.length };
    announce(t('arrange.moved', params));
  };
  const hide = (key: AnyTile): void => {
    onArrange(order.filter(one => one !== key));
    announce(t('arrange.hiddenNow', { name: t(`tiles.${key}`) }));
  };
  const onKeyDown = (event: KeyboardEvent, key: AnyTile): void => {
    const by = STEPS[event.key];
    if (by === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    if (by === undefined) hide(key);
    else move(key, document.dir === 'rtl' && event.key.startsWith('Arrow') ? -by : by);
  };

  return (
    <section aria-label={t('trends')}>
      {arranging && <p className={styles.hint}>{t('arrange.hint')}</p>}
      <ul className={styles.grid} style={columnsFor(places.length)}>
        {places.map(tile => {
          if (typeof tile === 'string') return <TileToCome key={tile} name={t(`tiles.${tile}`)} />;
          const name = t(`tiles.${tile.key}`);
          const card = (
            <>
              <span className={hidden.hidden}>{nameOf(tile)}</span>
              <div aria-hidden="true">
                <TileCard tile={tile} />
              </div>
            </>
          );
          return (
            <li key={tile.key} className={styles.item} data-arranging={arranging || undefined}>
              {arranging ? (
                <>
                  {/* biome-ignore lint/a11y/useSemanticElements: it groups a figure with the buttons that move it. */}
                  <div
                    role="group"
                    aria-label={nameOf(tile)}
                    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move it.
                    tabIndex={0}
                    onKeyDown={event => onKeyDown(event, tile.key)}
                  >
                    <TileCard tile={tile} />
                  </div>
                  <div className={styles.moves}>
                    <IconButton label={t('arrange.earlier', { name })} onClick={() => move(tile.key, -1)}>
                      <IconArrowLeft size={16} stroke={1.75} aria-hidden />
                    </IconButton>
                    <IconButton label={t('arrange.later', { name })} onClick={() => move(tile.key, 1)}>
                      <IconArrowRight size={16} stroke={1.75} aria-hidden />
                    </IconButton>
                    <IconButton label={t('arrange.hide', { name })} onClick={() => hide(tile.key)}>
                      <IconEyeOff size={16} stroke={1.75} aria-hidden />
                    </IconButton>
                  </div>
                </>
              ) : (
                <Link to={linkOf(tile)} className={styles.link}>
                  {card}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {arranging && (
        <div className={styles.hidden}>
          {left.map(key => (
            <Button
              key={key}
              icon={<IconPlus size={16} stroke={1.75} aria-hidden />}
              aria-label={t('arrange.show', { name: t(`tiles.${key}`) })}
              onClick={() => onArrange([...order, key])}
            >
              {t(`tiles.${key}`)}
            </Button>
          ))}
          <Button
            variant="text"
            icon={<IconRestore size={16} stroke={1.75} aria-hidden />}
            onClick={() => onArrange(null)}
          >
            {t('arrange.reset')}
          </Button>
        </div>
      )}
    </section>
  );
}

const TileToCome = ({ name }: { readonly name: string }) => (
  <li className={styles.item} aria-busy="true">
    <div className={styles.toCome}>
      <span>{name}</span>
      <i />
    </div>
  </li>
);
