import fc from 'fast-check';
import type { CommandParameters } from '../commands.ts';

/** A value for each command parameter. */
export const PARAMETERS = {
  seconds: 60,
  metres: 12_000,
  speed: 90,
  output: 1,
  phone: '+13125550123',
  phone1: '+13125550123',
  phone2: '+13125550124',
  phone3: '+13125550125',
  host: 'track.example.com',
  port: 5020,
  apn: 'internet',
  user: 'user',
  password: 'secret',
  minutes: 60,
  lat: 41.8781,
  lon: -87.6298,
  radius: 500,
  number: 1,
  camera: 1,
  enabled: true,
  text: 'Call the office',
} as const;

const whole = (min: number, max: number) => fc.integer({ min, max });
const phone = fc.stringMatching(/^\+[1-9]\d{6,13}$/);

/** Typical values, some outside a maker's range. */
export const anyParameters: fc.Arbitrary<CommandParameters> = fc.record({
  seconds: whole(1, 100_000),
  metres: whole(0, 4_000_000),
  speed: whole(0, 255),
  output: whole(1, 5),
  phone,
  phone1: phone,
  phone2: phone,
  phone3: phone,
  host: fc.domain(),
  port: whole(1, 65_535),
  apn: fc.stringMatching(/^[a-z][a-z.]{0,19}$/),
  user: fc.stringMatching(/^[a-z]{1,10}$/),
  password: fc.stringMatching(/^[a-z0-9]{1,10}$/),
  minutes: whole(0, 780),
  lat: whole(-90_000_000, 90_000_000).map(value => value / 1e6),
  lon: whole(-180_000_000, 180_000_000).map(value => value / 1e6),
  radius: whole(20, 200_000),
  number: whole(0, 8),
  camera: whole(1, 8),
  text: fc.stringMatching(/^[A-Z][a-z]{0,12}( [a-z]{1,12}){0,4}$/),
});
