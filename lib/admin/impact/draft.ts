import type { Configuration } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";
import { stopsAfter, stopsIn, type StopRows } from "@/lib/admin/impact/stops";
import { DRAFT_MS, parsedInThread } from "@/lib/admin/parsed-document";
import type { ConfigDocument } from "@/lib/config/document";
import { draftOf, draftOfDocument, pathBelow } from "@/lib/config/draft";
import { holdStatuses } from "@/lib/config/held-tools";
import { mergeInParts } from "@/lib/config/merge";
import type { DocumentProblem } from "@/lib/config/problems";
import type { ImpactInput } from "@/lib/contracts/decisions/impact";
import { AppError } from "@/lib/errors";
import { runInTurns } from "@/lib/store/db/in-turns";
import { readDocument } from "@/lib/store/save/config-document";
import { snapshotAt } from "@/lib/store/snapshot/snapshot";

/** What a change leads to. */
export interface Drafted {
  readonly configuration: Configuration;
  /** The rows of approvals and limits after the change of these. */
  readonly changeStops: (rows: StopRows) => StopRows;
}

/** The configuration after the change. @throws AppError as `impact` does */
export async function draftConfiguration(
  base: Configuration,
  input: ImpactInput,
  signal: AbortSignal | undefined,
): Promise<Drafted> {
  if (input.restores !== undefined) {
    const past = await snapshotAt(input.restores);
    return { configuration: restored(base, past.index.config), changeStops: () => stopsIn(past) };
  }
  if (input.resource !== undefined)
    return { configuration: rowDrafted(base, input), changeStops: (rows) => stopsAfter(rows, input, null) };
  const document = await laidOver(input, signal);
  const configuration = await runWithinLimit(draftOfDocument(base, document), signal);
  return { configuration, changeStops: (rows) => stopsAfter(rows, input, document) };
}

/** An older configuration as a restore makes it: it lifts no pause and no status, and ends no grant. */
function restored(current: Configuration, past: Configuration): Configuration {
  const { pauses, driftAcceptances, accessGrants } = current;
  const { tools } = holdStatuses(past.tools, new Map(current.tools.map((tool) => [tool.id, tool])));
  return { ...past, tools, pauses, driftAcceptances, accessGrants };
}

/** The configuration with an unsaved row. @throws AppError `invalid_request` */
function rowDrafted(base: Configuration, { resource, id, input }: ImpactInput): Configuration {
  const drafted = draftOf(base, { resource: resource ?? "settings", id, input });
  if (drafted.ok) return drafted.configuration;
  throw new AppError("invalid_request", "The change is not valid.", { errors: [...drafted.errors] });
}

/** The document as it would be applied; with mode merge, merged into the stored one. @throws AppError `invalid_request`, `request_timeout` */
async function laidOver(
  { config, mode, revision }: ImpactInput,
  signal: AbortSignal | undefined,
): Promise<ConfigDocument> {
  const parsed = await parsedInThread(config, { merges: mode === "merge", signal });
  const refused = (message: string, errors: readonly DocumentProblem[]) =>
    new AppError("invalid_request", message, { errors: [...errors] });
  const inConfig = (errors: readonly DocumentProblem[]) =>
    errors.map((error) => ({ ...error, path: pathBelow("config", error.path) }));
  if (!parsed.ok) throw refused("The change is not valid.", inConfig(parsed.errors));
  if (mode === "replace" && !parsed.mergeOnly) return parsed.document;
  const overStored = "The document is not valid together with the stored configuration.";
  if (revision !== undefined)
    throw refused(overStored, [
      { path: "revision", message: "a document is merged into the stored configuration: omit this field" },
    ]);
  const merging = mergeInParts((await readDocument()).document, parsed.stated, parsed.fresh);
  const merged = await runWithinLimit(merging, signal);
  if (merged.ok) return merged.document;
  throw refused(overStored, inConfig(merged.errors));
}

/** Runs a stage whose length the author of a change chooses. @throws AppError `request_timeout` */
export function runWithinLimit<Made>(stage: Parts<Made>, signal: AbortSignal | undefined): Promise<Made> {
  return runInTurns(stage, DRAFT_MS, signal);
}
