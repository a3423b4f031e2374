/** Prints a command's lines. */
export interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** A problem in a command's input, as a sentence for the person who typed it. */
export class CommandProblem extends Error {}
