ALTER TABLE "agent" ALTER COLUMN "stateHeldByServer" SET DEFAULT true;

-- The state of a named machine belongs to the server, unless an agent depends on naming it. The log holds the request of
-- every call as it was resolved: a call without a session holds the state that its agent stated. A call in a session holds
-- the session's state, so a state that was stated when the session was opened shows in its first call: it is not the
-- machine's initial one. Lists are not logged; an agent that only listed is taken for one that states nothing.
WITH recent AS (
  SELECT "agent", "session", "request"->>'machine' AS "machine", "request"->>'state' AS "state", "at", "callId"
  FROM "execution"
  WHERE "at" > now() - interval '30 days' AND "door" <> 'try' AND "agent" IS NOT NULL
    AND "request"->>'machine' IS NOT NULL
), opened AS (
  SELECT DISTINCT ON ("agent", "session") "agent", "machine", "state"
  FROM recent WHERE "session" IS NOT NULL ORDER BY "agent", "session", "at", "callId"
), stating AS (
  SELECT "agent" FROM recent WHERE "session" IS NULL AND COALESCE("state", '') <> ''
  UNION
  SELECT opened."agent" FROM opened JOIN "machine" ON "machine"."name" = opened."machine"
  WHERE opened."state" <> "machine"."initial"
)
UPDATE "agent" SET "stateHeldByServer" = true
WHERE NOT "stateHeldByServer" AND "name" NOT IN (SELECT "agent" FROM stating);
