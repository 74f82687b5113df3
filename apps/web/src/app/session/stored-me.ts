import {
  APPEARANCES,
  DUTIES,
  isTimeZone,
  LANGUAGES,
  type Me,
  OVERVIEW_TILES,
  PERMISSIONS,
  ROLES,
  START_PAGES,
} from '@milepost/contract';
import { fields, flag, listOf, oneOf, orNull, type Reader, text, that, whole } from './kept.ts';

/** The user as kept between visits: without the messaging credential, which is read anew every time. */
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
    overviewTiles: orNull(listOf(oneOf(OVERVIEW_TILES))),
  }),
  account: fields<Me['account']>({ id: text, name: text, demo: flag, operator: flag }),
});
