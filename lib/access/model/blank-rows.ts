import type { Agent, Group, Policy } from "@/lib/access/model/configuration";

/** A new policy, which grants nothing. */
export const BLANK_POLICY = {
  name: "",
  description: "",
  effect: "allow",
  priority: 0,
  active: true,
  mode: "enforce",
  validFrom: null,
  validUntil: null,
  matchers: [],
  everyone: false,
  arguments: [],
  groups: [],
  maxHours: null,
  approvers: null,
} satisfies Policy;

/** A new group without members. */
export const BLANK_GROUP = {
  name: "",
  description: "",
  guidance: null,
  active: true,
  selectors: [],
  include: [],
  exclude: [],
} satisfies Group;

/** A new agent. */
export const BLANK_AGENT = {
  name: "",
  enabled: true,
  issuer: null,
  subject: null,
  attributes: {},
  persona: null,
  profile: null,
  machine: null,
  stateHeldByServer: true,
} satisfies Agent;
