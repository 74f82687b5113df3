export * from './fields.ts';
export * from './messaging.ts';
export * from './problems.ts';
export * from './roles.ts';
export * from './route.ts';
export * from './routes/accounts.ts';
export * from './routes/history.ts';
export { ALL_ROUTES, ROUTES } from './routes/index.ts';
export * from './routes/vehicles.ts';
