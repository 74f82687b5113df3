/** 49 CFR 565.15(c), table III: what a character counts in the check digit. */
const VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  ['0', '1AJ', '2BKS', '3CLT', '4DMU', '5ENV', '6FW', '7GPX', '8HQY', '9RZ'].flatMap((characters, value) =>
    [...characters].map(character => [character, value]),
  ),
);
/** Table IV: by its place. */
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
/** Table VII, from 2010 on. */
const YEARS = 'ABCDEFGHJKLMNPRSTVWXY';

/** World manufacturer identifier and attributes that begin the numbers of each make; made up from the sixth on. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  Freightliner: '3AKJHHDR',
  Kenworth: '1XKYD49X',
  Volvo: '4V4NC9EH',
  Peterbilt: '1XPBDP9X',
  Isuzu: '54DC4W1D',
  Hino: '5PVNJ8JL',
  Ford: '1FTBR1C8',
  Ram: '3C6LRVDG',
  'Mercedes-Benz': 'W1Y4ECHY',
  International: '3HAEUMML',
};

/** A vehicle identification number that is right in itself and belongs to no vehicle. */
export function vinOf(make: string, year: number, serial: number): string {
  const beginning = BEGINNINGS[make] ?? '1ZZZZZZZ';
  const end = `${YEARS[year - 2010] ?? 'A'}Z${String(900_000 + serial)}`;
  const sum = [...`${beginning}0${end}`].reduce(
    (total, character, place) => total + (VALUES[character] ?? 0) * (WEIGHTS[place] ?? 0),
    0,
  );
  const digit = sum % 11 === 10 ? 'X' : String(sum % 11);
  return `${beginning}${digit}${end}`;
}
