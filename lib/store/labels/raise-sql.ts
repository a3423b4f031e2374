/**
 * Stores raised labels from `select`, which yields issuer, subject, session, label, call, tool, time and end, in the order of
 * the key: statements that lock the same rows in different orders could deadlock. A raise prolongs a held label, whose row
 * keeps the call that raised it first and notes the time of the latest raise, so that a person clears only what they saw.
 */
export const raiseFrom = (select: string): string => `
    INSERT INTO held_label ("issuer", "subject", "session", "label", "callId", "toolId", "at", "until", "lastAt")
    SELECT *, "at" FROM (${select}) raising
    ON CONFLICT ("issuer", "subject", "session", "label") DO UPDATE SET
      "until" = CASE WHEN held_label."until" < COALESCE(excluded."until", 'infinity') THEN excluded."until" ELSE held_label."until" END,
      "lastAt" = GREATEST(held_label."lastAt", excluded."lastAt"),
      "callId" = CASE WHEN held_label."until" <= now() THEN excluded."callId" ELSE held_label."callId" END,
      "toolId" = CASE WHEN held_label."until" <= now() THEN excluded."toolId" ELSE held_label."toolId" END,
      "at" = CASE WHEN held_label."until" <= now() THEN excluded."at" ELSE held_label."at" END`;

/** The columns of one raised label, as JSON holds them. */
export const RAISE_COLUMNS = `"label" text, "session" text, "callId" text, "toolId" text, "at" timestamptz, "until" timestamptz`;
