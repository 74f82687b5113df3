import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import { isLoopback } from '../config/decide.ts';
import { bearerToken } from './authorise.ts';

/** Headers that proxies add, trusted or not: a request with any of them comes from another machine. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Metrics reveal how a fleet works: they need `METRICS_TOKEN`, or without one, a request from this machine. */
export function refuseMetrics(request: FastifyRequest, metricsToken: string | null): void {
  if (metricsToken === null) {
    const isFromHere = isLoopback(request.ip.replace(/^::ffff:/i, ''));
    if (isFromHere && !FORWARDED.some(name => request.headers[name] !== undefined)) return;
    throw new AppError('not-signed-in');
  }
  const token = bearerToken(request);
  if (token === null || !timingSafeEqual(digest(token), digest(metricsToken))) throw new AppError('not-signed-in');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
