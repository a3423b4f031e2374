-- The shipped labels and the inactive rule "trifecta" for installations that have a configuration
-- (lib/resources/shipped-flow.ts). A new installation saves them at its first start. A name that is taken stays as it is.
DO $$
DECLARE
  next integer;
  at timestamptz(3) := now();
BEGIN
  SELECT "revision" + 1 INTO next FROM "config_state" WHERE "id" = 1 FOR UPDATE;
  IF next IS NULL OR next = 1 THEN RETURN; END IF;

  INSERT INTO "label" ("name", "description", "scope", "holdMinutes", "revision", "createdAt", "updatedAt")
  VALUES
    ('private', 'The caller has read data of people or of the company.', 'caller', 1440, next, at, at),
    ('untrusted', 'The caller has read text that somebody outside may have written, such as a web page or an e-mail.',
     'caller', 1440, next, at, at)
  ON CONFLICT DO NOTHING;
  INSERT INTO "flow_rule"
    ("name", "description", "active", "mode", "when", "restrict", "effect", "revision", "createdAt", "updatedAt")
  VALUES ('trifecta', 'After private data and untrusted text, tools that send data out are hidden.', false, 'enforce',
    '["private", "untrusted"]', '[{"is": "outward", "tool": null, "selector": null}]', 'hide', next, at, at)
  ON CONFLICT DO NOTHING;
  IF NOT EXISTS (
    SELECT FROM "label" WHERE "revision" = next UNION ALL SELECT FROM "flow_rule" WHERE "revision" = next
  ) THEN RETURN; END IF;

  INSERT INTO "revision" ("number", "at", "kind", "actor", "role", "note")
  VALUES (next, at, 'system', 'upgrade', 'admin', 'shipped labels and flow rule');
  INSERT INTO "change" ("revision", "at", "kind", "actor", "role", "resource", "rowId", "action", "before", "after")
  SELECT next, at, 'system', 'upgrade', 'admin', row."resource", row."name", 'create', NULL,
    row."value" - 'revision' - 'createdAt' - 'updatedAt'
  FROM (
    SELECT 'labels' AS "resource", "name", to_jsonb(label) AS "value" FROM "label" WHERE "revision" = next
    UNION ALL
    SELECT 'flows', "name", to_jsonb(flow_rule) FROM "flow_rule" WHERE "revision" = next
  ) AS row;
  UPDATE "config_state" SET "revision" = next WHERE "id" = 1;
  PERFORM pg_notify('configuration', next::text);
END $$;
