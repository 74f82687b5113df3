import { namesNothing, type Probes } from './probe.ts';

export const accountProbes: Probes = {
  signIn: {
    call: (of, caller) => ({ body: { userName: of.userName, password: caller.password } }),
    aboutOthers: 401,
  },
  signOut: namesNothing,
  readMe: namesNothing,
  checkInternetStatus: namesNothing,
  readClientSettings: namesNothing,
};
