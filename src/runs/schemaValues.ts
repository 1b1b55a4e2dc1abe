/** Values that several documents have. */
import { z } from 'zod';

export const text = (what: string) => z.string().describe(what);
export const texts = (what: string) => z.array(z.string()).describe(what);
export const number = (what: string) => z.number().describe(what);
export const flag = (what: string) => z.boolean().describe(what);

/** 0, 1, 2, ... */
export const count = (what: string) => z.int().min(0).describe(what);
/** Rows and lines, counted from 1. */
export const ordinal = (what: string) => z.int().min(1).describe(what);
export const share = (what: string) => z.number().min(0).max(1).describe(what);

export const sha256 = (what: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe(what);

/** Written as `printSchema` writes every time, whatever Zod checks. */
export const time = (what: string) => z.iso.datetime().describe(what);

export const cell = (what: string) => z.union([z.number(), z.string()]).describe(what);
export const cells = (what: string) => z.record(z.string(), z.union([z.number(), z.string()])).describe(what);
export const watched = (what: string) => z.record(z.string(), z.number()).describe(what);
