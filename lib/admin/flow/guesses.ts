import { answeredFlow, hasGuess } from "@/lib/access/model/flow";
import { AppError } from "@/lib/errors";
import type { ListQuery } from "@/lib/contracts/changes/list";
import type { FlowGuessAnswer, FlowGuessAnswered, FlowGuessPage } from "@/lib/contracts/sources/flow-guess";
import { NO_FLOW } from "@/lib/resources/parts/no-flow";
import { IMPORTED_KINDS } from "@/lib/resources/source-kinds";
import { db } from "@/lib/store/db/database";
import { inTurns } from "@/lib/store/db/in-turns";
import { Prisma } from "@/lib/store/generated/client";
import { stores } from "@/lib/store/config/index";
import { toValue } from "@/lib/store/config/tables";
import { write, type Actor, type Change } from "@/lib/store/save/write";
import type { Stored } from "@/lib/store/save/stored";

/** The filter that every query here gets: only tools with a guess. */
const GUESSED = { guessed: "true" };

/** A page of the tools with a guess that nobody has answered. @throws AppError `invalid_request` */
export async function listFlowGuesses(query: ListQuery): Promise<FlowGuessPage> {
  const [page, unguessed] = await Promise.all([stores.tools.list({ ...query, ...GUESSED }), countUnguessed()]);
  return {
    ...page,
    unguessed,
    items: page.items.map(({ id, source, name, description, method, hasSideEffects, flow, flowGuess, revision }) => ({
      id,
      source,
      name,
      description,
      method,
      hasSideEffects,
      flow,
      flowGuess,
      revision,
    })),
  };
}

/** Counts the tools for which `lacksGuess` is true, without reading them. @throws AppError `config_unavailable` */
async function countUnguessed(): Promise<number> {
  const kind = { in: [...IMPORTED_KINDS] };
  const sources = await db().source.findMany({ where: { kind }, select: { name: true } });
  return db().tool.count({
    where: {
      source: { in: sources.map(({ name }) => name) },
      flow: { equals: NO_FLOW },
      flowGuess: { equals: Prisma.DbNull },
      OR: [{ run: { path: ["kind"], equals: "mcp" } }, { method: { not: null }, path: { not: null } }],
    },
  });
}

/**
 * Answers the guesses of several tools, all or none, in one revision. A confirmed guess becomes part of the tool's flow.
 *
 * @throws AppError `not_found` for an unknown tool; `conflict` for a tool without a guess; `stale` for a tool that
 * changed after the person saw it; the errors of `write`
 */
export async function answerFlowGuesses(actor: Actor, { rows, flow }: FlowGuessAnswer): Promise<FlowGuessAnswered> {
  let answered = 0;
  const plan = async (stored: Stored): Promise<Change[]> => {
    const [tools, labels] = [await stored.all("tools"), [...(await stored.all("labels")).values()]];
    const items: readonly { readonly id: string; readonly revision?: number }[] =
      "items" in rows
        ? rows.items
        : (await stores.tools.matching({ ...rows.query, ...GUESSED }, stored)).map((id) => ({ id }));
    const changes: Change[] = [];
    for await (const { id, revision } of inTurns(items)) {
      const row = tools.get(id);
      if (row === undefined) throw new AppError("not_found", `There is no tool \`${id}\`.`);
      if (!hasGuess(row))
        throw new AppError("conflict", `The tool \`${id}\` has no guess to answer: it may have been answered already.`);
      if (revision !== undefined && revision !== row.revision)
        throw new AppError("stale", `The tool \`${id}\` has changed since you saw it. No guess was answered.`);
      const after = { ...toValue("tools", row), ...answeredFlow(row, flow, labels) };
      changes.push({ resource: "tools", action: "update", id, after });
    }
    answered = changes.length;
    return changes;
  };
  const note = `${flow === null ? "confirmed" : "replaced"} guessed flow of tools`;
  const { revision } = await write(actor, plan, { note });
  return { revision, answered };
}
