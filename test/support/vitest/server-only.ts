/** Stands in for the package of this name under Vitest: there is nothing to guard against there. */
export const serverOnly = true;
