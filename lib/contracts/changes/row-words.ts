import { isResourceName, KINDS, OTHER_KINDS } from "@/lib/resources/kinds";

// Without shapes: pages import this file without the schemas.

/** The name of a resource or another kind, in the singular: "access policy", "pause". */
export function kindInWords(kind: string): string {
  if (isResourceName(kind)) return KINDS[kind].words[0];
  return Object.hasOwn(OTHER_KINDS, kind) ? OTHER_KINDS[kind as keyof typeof OTHER_KINDS] : kind;
}

/** Kinds whose rows have generated ids, which say nothing to a reader. */
const WITHOUT_NAMES: readonly string[] = ["token-keys", "access-grants", "connections", "revocations", "erasures"];

/** A row in a sentence: "access policy finance"; its kind alone when its id is no name. */
export function rowInWords(resource: string, id: string): string {
  const kind = kindInWords(resource);
  return id === resource || WITHOUT_NAMES.includes(resource) ? kind : `${kind} ${id}`;
}

/** `availableInStates` → `available in states`. */
export function wordsOf(field: string): string {
  return field.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A field as the form calls it. */
export function fieldInWords(field: string): string {
  return FORM_WORDS[field] ?? wordsOf(field);
}

const FORM_WORDS: Readonly<Record<string, string>> = {
  machine: "state machine",
  matchers: "conditions",
  arguments: "argument conditions",
  when: "labels",
  restrict: "restrictions",
  is: "classes",
  jwks: "public keys",
  jwksUri: "JWKS URL",
  stateHeldByServer: "the server keeps the state",
  "review.changes": "Changes that wait",
  "review.bypassHours": "Time to confirm an emergency change",
};

/** The target of a request about a row that the reader's role may not see. */
export const HIDDEN_TARGET = "hidden";
