import { noteOf, type Recordings } from '../testing/recordings.ts';

export const recordings: Recordings = {
  disagreements: {},
  // Recorded as bytes, without the CR.
  cutShort: [7],
  hints: {
    assign1: message => noteOf(message, 'assign1'),
    // Bit 0 of the hint is the ignition.
    input: message => {
      const ignition = message.kind === 'position' && message.ignition ? 1 : 0;
      return [1, 2, 3].reduce((bits, n) => bits + (noteOf(message, `input${n}`) ? 2 ** n : 0), ignition);
    },
    // The hint is the sum of the tank's sensors.
    fuel: message => Number(noteOf(message, 'fuelSensor1')) + Number(noteOf(message, 'fuelSensor2') ?? 0),
    adc: message => noteOf(message, 'analogInput1'),
    // The hint numbers the probes from 2.
    'temp + 2': message => noteOf(message, 'temperature1'),
    driver_unique_id: message =>
      String((message.kind === 'position' ? message.rfid : null) ?? noteOf(message, 'rfid') ?? null),
  },
};
