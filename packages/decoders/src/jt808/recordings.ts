import { noteOf, type Recordings } from '../testing/recordings.ts';

const positionOf = (name: 'satellites' | 'event') => (message: Parameters<typeof noteOf>[0]) =>
  message.kind === 'position' ? message[name] : null;

export const recordings: Recordings = {
  disagreements: {
    30: 'alarm bit 7 is “main power low” in the standard, which is not the tracker’s battery',
    49: 'the checksum is wrong, and ten bytes are missing',
    59: 'no document tells which alarm item 0xE8 reports',
  },
  cutShort: [49],
  hints: {
    satellites: positionOf('satellites'),
    motion: message => noteOf(message, 'movement'),
    timezone: message => noteOf(message, 'timeZone'),
    videoalarm: (message, value) => `${noteOf(message, 'videoAlarm')}L` === value && value,
    fuel_used: message => noteOf(message, 'fuelUsed'),
    iccid: message => noteOf(message, 'iccid'),
    unlockresult: (message, value) => noteOf(message, 'unlockResult') === Number(value) && value,
    lock2battery: message => noteOf(message, 'lock2Battery'),
    event: message => noteOf(message, 'eventCode'),
    'temp + 3': message => noteOf(message, 'temperature3'),
    charge: message => noteOf(message, 'charging'),
    fuel1: message => noteOf(message, 'fuelLevel1'),
    fuel2: message => noteOf(message, 'fuelLevel2'),
    door: message => noteOf(message, 'doorOpen'),
    tag1mac: message => noteOf(message, 'tag1Mac'),
  },
};
