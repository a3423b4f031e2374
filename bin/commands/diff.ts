import { CommandProblem, type Output } from "@/bin/commands/output";
import { readOptions } from "@/bin/commands/read-options";
import { connect, jsonOf, SERVER_OPTIONS, type Environment, type Server } from "@/bin/commands/server";
import { isResourceName, KINDS } from "@/lib/resources/kinds";
import type { RevisionDiff, RowDifference } from "@/lib/contracts/changes/revision-diff";

const SIGNS = { create: "+", update: "~", delete: "−" } as const;

/** `diff FROM [TO] [--json]`: prints the changes between two revisions; TO defaults to the newest. 0 = none, 1 = some. */
export async function diffCommand(args: readonly string[], output: Output, env: Environment): Promise<number> {
  const { values, positionals } = readOptions(args, { ...SERVER_OPTIONS, json: { type: "boolean", default: false } });
  const [from, to, ...more] = positionals;
  if (from === undefined)
    throw new CommandProblem(
      "Name two revisions, such as `diff 3 7`, or one to compare with the newest, such as `diff 3`.",
    );
  if (more.length > 0) throw new CommandProblem(`Name at most two revisions. Remove \`${more[0]}\`.`);
  for (const number of [from, to ?? "0"])
    if (!/^\d{1,9}$/.test(number))
      throw new CommandProblem(`\`${number}\` is not a revision number. To compare a file, use \`plan ${number}\`.`);
  const server = connect(values, env);
  const answer = await server.ask(`/api/admin/revisions/${from}/diff/${to ?? (await newest(server))}`);
  if (!answer.ok) throw new CommandProblem(answer.problem);
  const diff = jsonOf<RevisionDiff>(answer);
  output.out(values.json ? JSON.stringify(diff, null, 2) : asText(diff));
  return diff.changes.length === 0 ? 0 : 1;
}

async function newest(server: Server): Promise<number> {
  const answer = await server.ask("/api/admin/revisions?limit=1");
  if (!answer.ok) throw new CommandProblem(answer.problem);
  return jsonOf<{ items: { number: number }[] }>(answer).items[0]?.number ?? 0;
}

function asText({ from, to, created, changed, deleted, changes }: RevisionDiff): string {
  if (changes.length === 0) return `Revisions ${from} and ${to} are the same.`;
  const total = `From revision ${from} to ${to}: ${created} created, ${changed} changed, ${deleted} deleted.`;
  return [...changes.flatMap(rowLines), total].join("\n");
}

function rowLines({ resource, id, action, before, after }: RowDifference): string[] {
  const word = isResourceName(resource) ? KINDS[resource].words[0] : resource;
  const head = `${SIGNS[action]} ${resource === "settings" ? "settings" : `${word} \`${id}\``}`;
  if (action !== "update") return [head];
  const [left, right] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  const fields = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return [
    head,
    ...fields
      .filter((field) => JSON.stringify(left[field]) !== JSON.stringify(right[field]))
      .map((field) => `    ${field}: ${short(left[field])} → ${short(right[field])}`),
  ];
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "not stated";
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}
