-- The address of an operation, apart from its definition, which may have megabytes: each reading of the configuration
-- needs the addresses of all operations that are not tools (docs/reference/execution.md#arguments).
ALTER TABLE "upstream_definition"
  ADD COLUMN "method" TEXT GENERATED ALWAYS AS (definition #>> '{run,method}') STORED,
  ADD COLUMN "url" TEXT GENERATED ALWAYS AS (definition #>> '{run,url}') STORED;
