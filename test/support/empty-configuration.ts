import { DEFAULT_SETTINGS, type Configuration } from "@/lib/access/model/configuration";

/** An empty configuration: resolves to no tools for every caller. */
export const EMPTY_CONFIGURATION: Configuration = {
  revision: 0,
  settings: DEFAULT_SETTINGS,
  sources: [],
  tools: [],
  groups: [],
  policies: [],
  machines: [],
  personas: [],
  intents: [],
  labels: [],
  flows: [],
  agents: [],
  issuers: [],
  pauses: [],
  driftAcceptances: [],
  accessGrants: [],
};
