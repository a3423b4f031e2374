// The words of the shipped labels and class, for code that loads no schema (lib/resources/shipped-flow.ts).

/** The label of a run that has read data of people or of the company. */
export const PRIVATE = "private";
/** The label of a run that has read text that somebody outside may have written. */
export const UNTRUSTED = "untrusted";
/** The class of tools that can send data out. */
export const OUTWARD = "outward";
