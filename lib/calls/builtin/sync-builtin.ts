import { isDeepStrictEqual } from "node:util";
import { CODE_KIND } from "@/lib/access/model/configuration";
import { ALWAYS_SOURCE } from "@/lib/resources/source-kinds";
import type { ToolInput } from "@/lib/resources/tool";
import type { Change } from "@/lib/store/save/change";
import type { Stored } from "@/lib/store/save/stored";
import { toValue } from "@/lib/store/config/tables";
import { write, type Actor } from "@/lib/store/save/write";
import { builtinSources, builtinTools } from "@/lib/calls/builtin/index";

/**
 * Brings the catalogue up to the tools in code, as one revision, or none when nothing differs. The code
 * owns the fields that a call depends on (schemas, annotations, version, side effects); names, descriptions, groups
 * and everything else that an admin may edit stay as stored. A tool that left the code is `deprecated` until it returns.
 * Its stored definition is marked as gone, because a deprecation that a person set stays.
 */
export async function syncBuiltinTools(actor: Actor): Promise<void> {
  const marks = new Map<string, { readonly gone: boolean }>();
  const plan = (stored: Stored) => {
    // A save may plan several times.
    marks.clear();
    return planSync(stored, marks);
  };
  await write(actor, plan, { note: "tools in code", definitions: () => marks });
}

async function planSync(stored: Stored, marks: Map<string, { readonly gone: boolean }>): Promise<Change[]> {
  const sources = await stored.all("sources");
  const added = builtinSources().filter(({ name }) => name === ALWAYS_SOURCE && !sources.has(name));
  const known = new Set(
    [...sources.values(), ...added].filter(({ kind }) => kind === CODE_KIND).map(({ name }) => name),
  );
  const labels = await stored.all("labels");
  // An admin may have deleted a shipped label. A new tool that names it would be refused.
  const code = builtinTools()
    .filter(({ source }) => known.has(source))
    .map((tool) => ({
      ...tool,
      flow: { ...tool.flow, raises: tool.flow.raises.filter((label) => labels.has(label)) },
    }));
  const rows = await stored.all("tools");
  const inCode = new Set(code.map(({ id }) => id));
  const left = [...rows.values()].filter(
    ({ id, source, status }) => known.has(source) && !inCode.has(id) && status === "active",
  );
  const last = await stored.upstreamDefinitions([...inCode]);
  const back = code.filter(({ id }) => last.get(id)?.["gone"] === true);
  for (const { id } of left) marks.set(id, { gone: true });
  for (const { id } of back) marks.set(id, { gone: false });
  return [
    ...added.map((after): Change => ({ resource: "sources", action: "create", after })),
    ...code.flatMap((tool) => toCode(tool, rows.get(tool.id), marks.has(tool.id))),
    ...left.map((row): Change => ({
      resource: "tools",
      action: "update",
      id: row.id,
      after: { ...toValue("tools", row), status: "deprecated" },
    })),
  ];
}

type ToolRow = Parameters<typeof toValue<"tools">>[1];

function toCode(tool: ToolInput, row: ToolRow | undefined, isBack: boolean): Change[] {
  if (row === undefined) return [{ resource: "tools", action: "create", after: tool }];
  const before = toValue("tools", row);
  const { inputSchema, outputSchema, annotations, version, hasSideEffects } = tool;
  const status = isBack && before.status === "deprecated" ? "active" : before.status;
  const after = { ...before, inputSchema, outputSchema, annotations, version, hasSideEffects, status };
  return isDeepStrictEqual(before, after) ? [] : [{ resource: "tools", action: "update", id: tool.id, after }];
}
