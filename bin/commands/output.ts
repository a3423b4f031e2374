/** Where a command prints, a line at a time. */
export interface Output {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** What is wrong with a command's input, in words for the person who typed it. */
export class CommandProblem extends Error {}
