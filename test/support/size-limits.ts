/** Files directly in one folder; a folder with more has subfolders named after the domain. */
export const FOLDER_LIMIT = 25;

/** Folders that stay flat although they hold more, and why. */
export const FLAT_FOLDERS: Readonly<Record<string, string>> = {
  bench: "one script per bench: `npm run bench -- NAME` runs bench/NAME.ts",
  "docs/decisions": "numbered records, read through the index",
  "lib/resources": "one file per resource, and the tables of all resources",
  "prisma/schema": "one file per subject; Prisma reads one folder",
  "test/calls/sandbox-corpus": "one script per attack on the sandbox",
};

/** Lines of a file; a longer one has two reasons to change. 250 is where to start thinking. */
export const FILE_LIMIT = 300;
/** Lines of a test file: one subject, whose set-up costs a database. */
export const TEST_FILE_LIMIT = 600;
/** Lines of a function outside tests: a screen. */
export const FUNCTION_LIMIT = 60;

/** Files that stay whole although they are longer, and why. */
export const LONG_FILES: Readonly<Record<string, string>> = {
  "lib/access/model/configuration.ts": "the shapes of the rows that decide",
  "lib/config/review/fields.ts": "the table of fields and of what a change of each widens",
  "lib/contracts/openapi/schemas.ts": "the table of the API's named schemas",
  "lib/sandbox/worker.mjs": "the sandbox's thread, which Node starts from this one file",
  "test/api/flow/attacks.ts": "the attacks of the corpus, one entry each",
  "test/api/server/openapi-document.test.ts": "the table of all operations with an example each",
};
