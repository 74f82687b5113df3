import type { Probe, Probes } from './probe.ts';

const aView: Probe['call'] = ({ viewId }) => ({ params: { id: viewId } });

export const viewProbes: Probes = {
  listViews: { call: () => ({ query: { page: 'fleet' } }), aboutOthers: 200 },
  createView: {
    call: () => ({ body: { page: 'fleet', name: 'Idle now', query: 'q=status:idling' } }),
    aboutOthers: 201,
  },
  updateView: {
    call: ({ viewId }) => ({ params: { id: viewId }, body: { name: 'Mine', query: 'sort=-speed' } }),
    aboutOthers: 404,
  },
  deleteView: { call: aView, aboutOthers: 404 },
  // Unknown IDs are ignored: another user may have just deleted a view.
  arrangeViews: { call: ({ viewId }) => ({ body: { page: 'fleet', ids: [viewId] } }), aboutOthers: 200 },
};
