-- A call that could not release its place, or whose release got no answer, takes it again: its own lease does not count.
CREATE OR REPLACE FUNCTION take_limits(asked jsonb, call text, "now" timestamptz)
RETURNS TABLE ("key" text, "endsAt" timestamptz) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  place bigint;
BEGIN
  FOR place IN SELECT DISTINCT hashtextextended(item ->> 'key', 0) AS hash FROM jsonb_array_elements(asked) item ORDER BY hash
  LOOP
    PERFORM pg_advisory_xact_lock(place);
  END LOOP;

  RETURN QUERY
    SELECT one."key", counted."endsAt"
    FROM jsonb_to_recordset(asked) AS one("key" text, "kind" text, "cap" int)
    JOIN limit_window counted ON counted."key" = one."key" AND counted."endsAt" > take_limits."now"
    WHERE one."kind" = 'window' AND counted."used" >= one."cap"
    UNION ALL
    SELECT one."key", min(held."endsAt")
    FROM jsonb_to_recordset(asked) AS one("key" text, "kind" text, "cap" int)
    JOIN limit_lease held
      ON held."key" = one."key" AND held."endsAt" > take_limits."now" AND held."holder" <> take_limits."call"
    WHERE one."kind" = 'lease'
    GROUP BY one."key", one."cap"
    HAVING count(*) >= one."cap";
  IF FOUND THEN
    RETURN;
  END IF;

  INSERT INTO limit_window ("key", "used", "endsAt")
    SELECT one."key", 1, to_timestamp((floor(extract(epoch FROM take_limits."now") / one."seconds") + 1) * one."seconds")
    FROM jsonb_to_recordset(asked) AS one("key" text, "kind" text, "seconds" int)
    WHERE one."kind" = 'window'
  ON CONFLICT ("key") DO UPDATE SET
    "used" = CASE WHEN limit_window."endsAt" > take_limits."now" THEN limit_window."used" + 1 ELSE 1 END,
    "endsAt" = CASE WHEN limit_window."endsAt" > take_limits."now" THEN limit_window."endsAt" ELSE EXCLUDED."endsAt" END;

  INSERT INTO limit_lease ("key", "holder", "endsAt")
    SELECT one."key", take_limits."call", take_limits."now" + make_interval(secs => one."seconds")
    FROM jsonb_to_recordset(asked) AS one("key" text, "kind" text, "seconds" int)
    WHERE one."kind" = 'lease'
  ON CONFLICT ("key", "holder") DO UPDATE SET "endsAt" = EXCLUDED."endsAt";
END $$;
