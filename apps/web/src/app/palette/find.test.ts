import { describe, expect, it } from 'vitest';
import { type Findable, FindIndex } from './find.ts';

const item = (title: string, subtitle = '', keywords = ''): Findable => ({ title, subtitle, keywords });
const fleet = new FindIndex([
  item('4127', 'Dana Whitlock', 'VA 48-217 PX 356938035641239'),
  item('4172', 'Marcus Tolliver', 'VA 11-900'),
  item('R-214', 'Sofía Marín', '1XKYD49X1NJ123456'),
  item('Truck 7', 'Line haul North'),
  item('Truck 17', 'Line haul South'),
]);
const titles = (query: string) => fleet.find(query, 5).map(hit => hit.item.title);

describe('[R4.17] the search', () => {
  it.each([
    ['dana', '4127'],
    ['whitlok', '4127'],
    ['641239', '4127'],
    ['marin', 'R-214'],
    ['Sofía', 'R-214'],
    ['nj123456', 'R-214'],
    ['7 truck', 'Truck 7'],
    ['south truck', 'Truck 17'],
  ])('%s finds %s first', (query, title) => {
    expect(titles(query)[0]).toBe(title);
  });

  it('[R4.17] puts the one of just that name, plate or number first', () => {
    const many = new FindIndex([
      ...Array.from({ length: 30 }, (_, i) => item(`Unit ${9001 + i}0`, 'Ana Rivera', `35693803564${9001 + i}`)),
      item('R-7', 'VA 90-01', 'VA9001'),
      item('9001', '', ''),
    ]);
    const first = (query: string) => many.find(query, 3)[0]?.item.title;
    expect(first('9001')).toBe('9001');
    expect(first('va9001')).toBe('R-7');
    expect(first('Unit 90010')).toBe('Unit 90010');
  });

  it('finds nothing for nothing, and for nonsense', () => {
    expect(titles('  ')).toEqual([]);
    expect(titles('zzzzqq')).toEqual([]);
    expect(titles('(')).toEqual([]);
  });

  it('says which letters match, in the title and in what is shown behind it', () => {
    const [hit] = fleet.find('dana', 1);
    expect(hit).toMatchObject({ title: [], subtitle: [0, 4] });
    expect(fleet.find('4127', 1)[0]).toMatchObject({ title: [0, 4] });
  });
});
