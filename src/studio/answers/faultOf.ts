/** An error as data that people can mend something by. */
import type { Fault } from '../protocol/index.js';

export function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const argument = (error as { argument?: unknown }).argument;
  return {
    name: error.name,
    message: error.message,
    ...(typeof argument === 'string' && { argument }),
  };
}
