-- A session never outlives what it was given for, whoever changes the row: another role, another password
-- or a switched-off user ends every session given out before (lib/auth/people/user.ts compares the epoch).
CREATE FUNCTION end_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."sessionEpoch" := greatest(NEW."sessionEpoch", OLD."sessionEpoch" + 1);
  RETURN NEW;
END $$;
CREATE TRIGGER "person_end_sessions" BEFORE UPDATE ON "person" FOR EACH ROW
  WHEN ((OLD."role", OLD."enabled", OLD."passwordHash") IS DISTINCT FROM (NEW."role", NEW."enabled", NEW."passwordHash"))
  EXECUTE FUNCTION end_sessions();
