import type { ChangeRow } from "@/lib/contracts/changes/change";
import { isResourceName, KINDS, OTHER_KINDS } from "@/lib/resources/kinds";

// Without shapes: pages import this file without the schemas.

/** The name of a resource or another kind, in the singular: "access policy", "pause". */
export function kindInWords(kind: string): string {
  if (isResourceName(kind)) return KINDS[kind].words[0];
  return Object.hasOwn(OTHER_KINDS, kind) ? OTHER_KINDS[kind as keyof typeof OTHER_KINDS] : kind;
}

type TextOf = (field: string) => string | null;

/** Kinds whose rows have generated ids, which say nothing to a reader, each with the name that the row's fields give. */
const NAMES: Readonly<Record<string, (text: TextOf) => string | null>> = {
  "token-keys": () => "for access tokens",
  "access-grants": (text) => joined(text("tool"), "for", text("subject")),
  connections: (text) => joined(text("client"), "as", text("agent")),
  revocations: (text) => text("jti"),
  erasures: (text) => `of ${text("subject") ?? text("agent") ?? "every caller"}`,
};

function joined(one: string | null, word: string, other: string | null): string | null {
  return one === null || other === null ? null : `${one} ${word} ${other}`;
}

/** The name of a changed row. Where the id is generated, the row's fields name it instead. */
export function changedName({
  resource,
  rowId,
  before,
  after,
}: Pick<ChangeRow, "resource" | "rowId" | "before" | "after">): string {
  if (!isGenerated(resource)) return rowId;
  const row = (after ?? before ?? {}) as Readonly<Record<string, unknown>>;
  const text = (field: string) => (typeof row[field] === "string" ? row[field] : null);
  return NAMES[resource]?.(text) ?? rowId;
}

function isGenerated(resource: string): boolean {
  return Object.hasOwn(NAMES, resource);
}

/** A row in a sentence: "access policy finance"; its kind alone when its id is no name. */
export function rowInWords(resource: string, id: string): string {
  const kind = kindInWords(resource);
  return id === resource || isGenerated(resource) ? kind : `${kind} ${id}`;
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
