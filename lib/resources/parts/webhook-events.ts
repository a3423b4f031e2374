/** The events that webhooks receive (docs/reference/execution.md#events), with their labels. */
export const EVENTS = {
  "approval.requested": "A call waits for an approval",
  "access.requested": "An agent requests access to a tool",
  "change.bypassed": "An admin applied a change without review",
  "definition.drifted": "A source changed the definition of a tool",
  "profile.drifted": "A restricted profile holds tools back",
  "breaker.opened": "A source's circuit breaker opened",
  "audit.alarm": "The log could not be sealed or verified",
  "refusal.new_kind": "Calls of a tool are refused for a new reason",
} as const;
/** One kind of event. */
export type EventType = keyof typeof EVENTS;
/** The kinds of events. */
export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

/** Hours for which the replaced secret signs in addition to the new one. */
export const OVERLAP_HOURS = 24;
