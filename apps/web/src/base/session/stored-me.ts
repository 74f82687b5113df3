import {
  ALL_TILES,
  APPEARANCES,
  DUTIES,
  isTimeZone,
  LANGUAGES,
  MAP_KINDS,
  type Me,
  PERMISSIONS,
  ROLES,
  SETUP_STEPS,
  START_PAGES,
} from '@milepost/contract';
import { fields, flag, listOf, oneOf, orNull, type Reader, text, that, whole } from './kept.ts';

/** The user as stored between visits. The messaging credential isn't stored; each session fetches its own. */
export type StoredMe = Omit<Me, 'messaging'>;

export const storedMe: Reader<StoredMe> = fields<StoredMe>({
  id: text,
  userName: text,
  displayName: text,
  email: orNull(text),
  phone: orNull(text),
  gender: whole,
  image: orNull(text),
  role: oneOf(ROLES),
  customRole: orNull(fields({ id: text, name: text })),
  permissions: listOf(oneOf(PERMISSIONS)),
  scope: orNull(fields({ folderIds: listOf(text), departmentIds: listOf(text) })),
  readOnly: flag,
  duty: orNull(oneOf(DUTIES)),
  preferences: fields<Me['preferences']>({
    language: orNull(oneOf(LANGUAGES)),
    timeZone: orNull(that((zone): zone is string => typeof zone === 'string' && isTimeZone(zone))),
    distanceUnit: orNull(oneOf(['km', 'mi'])),
    volumeUnit: orNull(oneOf(['l', 'gal'])),
    temperatureUnit: orNull(oneOf(['c', 'f'])),
    startPage: orNull(oneOf(START_PAGES)),
    appearance: orNull(oneOf(APPEARANCES)),
    overviewTiles: orNull(listOf(oneOf(ALL_TILES))),
    map: orNull(oneOf(MAP_KINDS)),
    setupDone: orNull(listOf(oneOf(SETUP_STEPS))),
    setupSkipped: orNull(listOf(oneOf(SETUP_STEPS))),
  }),
  account: fields<Me['account']>({ id: text, name: text, demo: flag, operator: flag }),
});
