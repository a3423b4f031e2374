/**
 * A large text as the parameter of a statement, which reads it with `convert_from($1, 'UTF8')`. Prisma's client prints a text
 * as JSON and parses that again, which blocks the event loop and takes longer than making the text; bytes pass as base64.
 */
export function textBytes(text: string): Buffer {
  return Buffer.from(text);
}
