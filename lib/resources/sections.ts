import type { ResourceName } from "@/lib/resources/index";

// Names without shapes: pages import this file without the schemas, which are 90 KB.

/** The resources of the configuration document, in the order in which they are applied. */
export const CONFIG_SECTIONS = [
  "sources",
  "groups",
  "tools",
  "policies",
  "machines",
  "personas",
  "intents",
  "issuers",
  "agents",
  "assertions",
] as const satisfies readonly ResourceName[];
/** One section of the configuration document. */
export type ConfigSection = (typeof CONFIG_SECTIONS)[number];

/** The sections whose rows decide which tools a caller has. */
export const DECIDING = [
  "sources",
  "tools",
  "groups",
  "policies",
  "machines",
  "personas",
  "intents",
  "agents",
  "issuers",
] as const satisfies readonly ConfigSection[];
/** A section whose changes have an impact. */
export type Deciding = (typeof DECIDING)[number];

/** The deciding rules that a preview can take while they are edited. Agents and issuers only identify callers. */
export const DRAFTED = [
  "sources",
  "tools",
  "groups",
  "policies",
  "machines",
  "personas",
  "intents",
] as const satisfies readonly Deciding[];
/** A section that a preview can take as a draft. */
export type Drafted = (typeof DRAFTED)[number];
