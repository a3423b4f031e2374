/** A tool that raises no label and has no class. */
export const NO_FLOW: { raises: string[]; is: string[] } = { raises: [], is: [] };
