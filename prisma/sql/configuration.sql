-- The one row that writers lock and instances watch.
INSERT INTO "config_state" ("id", "revision") VALUES (1, 0) ON CONFLICT DO NOTHING;
ALTER TABLE "config_state" ADD CONSTRAINT "config_state_one_row" CHECK ("id" = 1);
