import { type Connectivity, createConnectivityMonitor } from '@milepost/client';
import { onlineManager } from '@tanstack/react-query';
import { create } from 'zustand';
import { http } from './api.ts';

export const useConnectivity = create<Connectivity>(() => ({ status: 'online', lastOkAt: null, nextCheckAt: null }));

const monitor = createConnectivityMonitor({
  http,
  onChange: connectivity => {
    useConnectivity.setState(connectivity, true);
    // Queries pause without a connection and continue when it is back.
    onlineManager.setOnline(connectivity.status === 'online');
  },
});

export const startConnectivity = (): void => monitor.start();
export const tryConnection = (): void => monitor.checkNow();
