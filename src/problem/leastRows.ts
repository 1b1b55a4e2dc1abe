/** Fewer distinct settings than this teach nothing that could be checked: `design` spreads a plan instead. */
export const LEAST_ROWS = 10;
