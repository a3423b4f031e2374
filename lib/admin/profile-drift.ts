import { countsOf, toolsWithheldByDrift } from "@/lib/access/compile/profile-index";
import { CODE_KIND, type Tool } from "@/lib/access/model/configuration";
import { isRestricted, profileAllows, profiles, type Profile } from "@/lib/access/compile/profiles";
import { definitionHash, type ToolDefinition } from "@/lib/config/definition-hash";
import { AppError, type FieldProblem } from "@/lib/errors";
import { pageAt, type Page } from "@/lib/contracts/changes/list";
import type { ProfileQuery, ProfileRow } from "@/lib/resources/profile";
import type {
  ProfileDriftAccepted,
  ProfileDriftAcceptance,
  ProfileDriftPage,
  ProfileDriftQuery,
  ProfileDriftRow,
} from "@/lib/contracts/decisions/profile-drift";
import { db } from "@/lib/store/db/database";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import type { Stored } from "@/lib/store/save/stored";
import type { Stored as StoredRow } from "@/lib/store/config/values";
import { write, type Actor, type Change } from "@/lib/store/save/write";

/** Lists the built-in profiles and how many tools wait for review in each. */
export async function listProfiles({ q = "", sort, ...page }: ProfileQuery): Promise<Page<ProfileRow>> {
  const { index } = await currentSnapshot();
  const wanted = q.trim().toLowerCase();
  const rows = [...profiles.values()]
    .filter(({ name, meaning }) => `${name}\n${meaning}`.toLowerCase().includes(wanted))
    .map((profile) => ({
      ...profile,
      drift: toolsWithheldByDrift(index, profile.name).length,
      ...countsOf(index, profile.name),
    }));
  if (sort !== undefined) rows.sort(ORDERS[sort]);
  return pageAt(rows, page);
}

type Order = (left: ProfileRow, right: ProfileRow) => number;

const byName: Order = (left, right) => (left.name < right.name ? -1 : 1);
const byDrift: Order = (left, right) => left.drift - right.drift || byName(left, right);
const ORDERS: Readonly<Record<NonNullable<ProfileQuery["sort"]>, Order>> = {
  name: byName,
  "-name": (left, right) => byName(right, left),
  drift: byDrift,
  "-drift": (left, right) => byDrift(right, left),
};

/**
 * Returns a page of the tools that a restricted profile allows but drift withholds (docs/reference/decision.md#profile,
 * Drift). Each has its definition and the previously accepted one.
 *
 * @throws AppError `not_found` for an unknown profile
 */
export async function listProfileDrift(
  name: string,
  { limit, cursor = "" }: ProfileDriftQuery,
): Promise<ProfileDriftPage> {
  const profile = requireProfile(name);
  const { index, tools: rows, revision } = await currentSnapshot();
  const waiting = toolsWithheldByDrift(index, profile.name);
  const remaining = waiting.filter(({ id }) => id > cursor);
  const page = remaining.slice(0, limit);
  const ids = page.map(({ id }) => id);
  const [since, accepted] = await Promise.all([definedSince(ids), acceptedBefore(profile, ids)]);
  const reviewed = new Set(
    index.config.driftAcceptances
      .filter((acceptance) => acceptance.profile === profile.name)
      .map(({ tool }) => tool.slice(0, tool.indexOf(":"))),
  );
  const items = page.map((tool): ProfileDriftRow => {
    const before = accepted.get(tool.id) ?? null;
    return {
      tool: tool.id,
      hash: tool.definitionHash,
      source: tool.source,
      why: before !== null ? "changed_definition" : reviewed.has(tool.source) ? "new_tool" : "new_source",
      since: since.get(tool.id) ?? rows.get(tool.id)?.updatedAt ?? new Date(0).toISOString(),
      definition: definitionOf(tool),
      accepted: before,
    };
  });
  const nextCursor = remaining.length > limit ? (ids.at(-1) ?? null) : null;
  return { profile: profile.name, revision, items, nextCursor, total: waiting.length };
}

/**
 * Accepts the named definitions for a profile, from the next request on. Refuses a tool that the profile denies,
 * because the profile would still hide it.
 *
 * @throws AppError `not_found` for an unknown profile; `invalid_request` for a tool that drift cannot withhold; `stale` for
 * a definition that has changed since the review; `forbidden`
 */
export async function acceptProfileDrift(
  actor: Actor,
  name: string,
  { tools }: ProfileDriftAcceptance,
): Promise<ProfileDriftAccepted> {
  const profile = requireProfile(name);
  const plan = async (stored: Stored): Promise<Change[]> => {
    const catalogue = await stored.all("tools");
    const sources = await stored.all("sources");
    const acceptances = await stored.all("drift-acceptances");
    const errors: FieldProblem[] = [];
    const stale: FieldProblem[] = [];
    const changes: Change[] = [];
    tools.forEach(({ tool: id, hash }, at) => {
      const tool = catalogue.get(id);
      const refusal = tool === undefined ? "there is no such tool" : whyNotWithheld(profile, tool, sources);
      if (refusal !== null) errors.push({ path: `tools[${at}].tool`, message: refusal });
      else if (tool === undefined || definitionHash(tool) !== hash)
        stale.push({ path: `tools[${at}].hash`, message: `\`${id}\` has a new definition: review it again` });
      const acceptance = { name: `${name}/${id}`, profile: name, tool: id, definitionHash: hash, by: actor.name };
      changes.push(...acceptanceChange(acceptances.get(acceptance.name), acceptance));
    });
    if (errors.length > 0)
      throw new AppError("invalid_request", `\`${name}\` does not withhold all of these tools. Nothing was accepted.`, {
        errors,
      });
    if (stale.length > 0)
      throw new AppError("stale", "A definition has changed since the review. Nothing was accepted.", {
        errors: stale,
      });
    return changes;
  };
  const written = await write(actor, plan, { note: `accepted for profile ${name}` });
  return { profile: name, revision: written.revision, accepted: written.changes.length };
}

function requireProfile(name: string): Profile {
  const profile = profiles.get(name);
  if (profile === undefined) throw new AppError("not_found", `There is no profile \`${name}\`.`);
  return profile;
}

/** The reason why drift cannot withhold a tool, so that accepting it has no effect; `null` = drift may withhold it. */
function whyNotWithheld(
  profile: Profile,
  { source, operation }: Pick<StoredRow<"tools">, "source" | "operation">,
  sources: ReadonlyMap<string, StoredRow<"sources">>,
): string | null {
  if (!isRestricted(profile)) return `\`${profile.name}\` restricts nothing, so it withholds nothing`;
  if (!profileAllows(profile, source, operation))
    return "the profile denies this tool in code, so it cannot be accepted";
  if (sources.get(source)?.kind === CODE_KIND) return "the tool is part of the code and is reviewed there";
  return null;
}

function acceptanceChange(before: Acceptance | undefined, after: Acceptance): Change[] {
  if (before === undefined) return [{ resource: "drift-acceptances", action: "create", after }];
  // The first acceptance of a definition stays, with the person who made it.
  if (before.definitionHash === after.definitionHash) return [];
  return [{ resource: "drift-acceptances", action: "update", id: after.name, after }];
}

type Acceptance = Omit<StoredRow<"drift-acceptances">, "revision" | "createdAt" | "updatedAt">;

function definitionOf({ name, description, inputSchema, outputSchema, annotations }: ToolDefinition | Tool) {
  return { name, description, inputSchema, outputSchema, annotations } as ProfileDriftRow["definition"];
}

/** When each tool got its present definition (ISO 8601), according to the history. */
async function definedSince(tools: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db().$queryRaw<{ tool: string; at: Date }[]>`
    select distinct on ("rowId") "rowId" as tool, at from change
    where resource = 'tools' and "rowId" = any(${tools}) and after is not null and (before is null
      or (before->'name', before->'description', before->'inputSchema', before->'outputSchema', before->'annotations')
        is distinct from
         (after->'name', after->'description', after->'inputSchema', after->'outputSchema', after->'annotations'))
    order by "rowId", id desc`;
  return new Map(rows.map(({ tool, at }) => [tool, at.toISOString()]));
}

/** The earlier acceptances of these tools, with the definitions that were accepted. */
async function acceptedBefore(
  profile: Profile,
  tools: readonly string[],
): Promise<ReadonlyMap<string, NonNullable<ProfileDriftRow["accepted"]>>> {
  const rows = await db().driftAcceptance.findMany({ where: { profile: profile.name, tool: { in: [...tools] } } });
  const revisions = rows.map(({ revision }) => revision);
  const past = await db().$queryRaw<{ tool: string; after: ToolDefinition | null }[]>`
    select distinct on ("rowId") "rowId" as tool, after from change
    join unnest(${rows.map(({ tool }) => tool)}::text[], ${revisions}::int[]) as acceptance (tool, number)
      on "rowId" = acceptance.tool and change.revision <= acceptance.number
    where resource = 'tools' order by "rowId", id desc`;
  const definitions = new Map(past.map(({ tool, after }) => [tool, after]));
  return new Map(
    rows.map(({ tool, definitionHash: hash, by, updatedAt }) => {
      const earlier = definitions.get(tool) ?? null;
      const definition = earlier !== null && definitionHash(earlier) === hash ? definitionOf(earlier) : null;
      return [tool, { hash, by, at: updatedAt.toISOString(), definition }];
    }),
  );
}
