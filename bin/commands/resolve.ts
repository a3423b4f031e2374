import { CommandProblem, type Output } from "@/bin/commands/output";
import { toStops } from "@/lib/admin/impact/stops";
import { observedChanges } from "@/lib/admin/preview-observed";
import { readConfig, readText } from "@/bin/commands/read-config";
import { readOptions } from "@/bin/commands/read-options";
import { problemsOf } from "@/lib/config/problems";
import { messageOf } from "@/lib/errors";
import { toPreview } from "@/lib/manifest/preview";
import { previewInput, type PreviewInput, type PreviewOutput } from "@/lib/contracts/decisions/preview";
import { compile } from "@/lib/access/compile/compile";
import { UNDEFINED_STATE } from "@/lib/access/model/configuration";
import { atOnce } from "@/lib/access/model/parts";
import { toRequest } from "@/lib/access/model/request";
import { resolve } from "@/lib/access/decide/resolve";
import { toConfiguration } from "@/lib/config/document";
import { warningsAtOnce } from "@/lib/config/plan";

/** `resolve CONFIG --claims …`: runs the resolver of the endpoints on a configuration file. */
export async function resolveCommand(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readOptions(args, OPTIONS);
  if (positionals.length > 1)
    throw new CommandProblem(`Name one configuration file only. Remove \`${positionals[1]}\`.`);
  const document = await readConfig(positionals[0]);
  const input = parseInput(values, await readClaims(values.claims));
  const index = compile(toConfiguration(document));
  const sample = document.personas?.find(({ name }) => name === input.persona)?.sampleClaims;
  const claims = input.claims ?? sample ?? {};
  const answer = toRequest(
    index,
    { claims, agent: null, issuer: null },
    {
      ...input,
      labels: input.labels ?? [],
      fromSession: true,
    },
  );
  if (!answer.ok) throw new CommandProblem(`${optionAt(answer.path)}: ${answer.message}`);
  const now = input.now === undefined ? Date.now() : Date.parse(input.now);
  const explained = (input.explain ?? []) as readonly string[];
  const unknown = explained.find((id) => !index.config.tools.some((tool) => tool.id === id));
  if (unknown !== undefined) throw new CommandProblem(`--explain: there is no tool \`${unknown}\`.`);
  const resolution = resolve(index, answer.request, now);
  const tools = new Map(document.tools?.map((tool) => [tool.id, tool]));
  const sideEffects = document.settings?.approvals.sideEffects ?? false;
  const { needsApproval } = toStops({ toolOf: (id) => tools.get(id), agentOf: () => undefined, sideEffects });
  const decided = atOnce(toPreview({ index, request: answer.request, now, resolution, explained, needsApproval }));
  const observed = atOnce(observedChanges({ index, request: answer.request, now }));
  const preview = { ...decided, raisedBy: [], observed };
  for (const { path, message } of warningsAtOnce(document)) output.error(`warning ${path}: ${message}`);
  output.out(values.json ? JSON.stringify(preview, null, 2) : asText(preview));
  return 0;
}

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean", default: false } as const;

const OPTIONS = {
  claims: text,
  persona: text,
  group: texts,
  state: text,
  machine: text,
  profile: text,
  capability: texts,
  label: texts,
  intent: text,
  confidence: text,
  now: text,
  explain: texts,
  "include-disabled": flag,
  json: flag,
} as const;

type Values = ReturnType<typeof readOptions<typeof OPTIONS>>["values"];

/** Converts the options to the body of a preview request, so that both are validated alike. */
function parseInput(values: Values, claims: unknown): PreviewInput {
  const { group, capability, label, confidence, json: _json, "include-disabled": includeDisabled, ...named } = values;
  const stated = {
    ...named,
    claims,
    // An absent option narrows nothing; `--group=` alone narrows to no group.
    group: group?.length === 1 && group[0] === "" ? [] : group,
    capabilities: capability,
    labels: label,
    confidence: confidence === undefined ? undefined : Number(confidence),
    includeDisabled,
  };
  const given = Object.entries(stated).filter(([, value]) => value !== undefined);
  const parsed = previewInput.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const problems = problemsOf(parsed.error, stated).map(({ path, message }) => `${optionAt(path)}: ${message}`);
  throw new CommandProblem(problems.join("\n"));
}

/** The option that states the field of a preview request at a path. */
function optionAt(path: string): string {
  const [, field = "", rest = ""] = /^([^.[]*)(.*)$/s.exec(path) ?? [];
  return `--${OPTION_OF[field] ?? field}${rest}`;
}
const OPTION_OF: Readonly<Record<string, string>> = {
  capabilities: "capability",
  labels: "label",
  includeDisabled: "include-disabled",
};

async function readClaims(given: string | undefined): Promise<unknown> {
  if (given === undefined) return undefined;
  const json = given.trimStart().startsWith("{") ? given : await readText(given);
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new CommandProblem(`--claims: not valid JSON (${messageOf(error)}).`);
  }
}

function asText(preview: PreviewOutput): string {
  const width = Math.max(0, ...[...preview.tools, ...preview.hidden].map(({ toolId }) => toolId.length));
  const state = preview.state === UNDEFINED_STATE ? "before the first transition" : `state ${preview.state}`;
  const place = [state, `profile ${preview.profile.join(" + ")}`, `routing ${preview.mode}`];
  const lines = [
    `${preview.tools.length} of ${preview.tools.length + preview.hidden.length} tools · ${place.join(" · ")} · about ${preview.tokens} tokens`,
    `steps   ${preview.trace.steps.map(({ name, after }) => `${name} ${after}`).join(" → ")}`,
    `groups  ${preview.grantedGroups.join(", ") || "none granted"}`,
    ...preview.trace.unknownGroups.map((name) => `warning there is no group ${name}`),
    ...preview.trace.errors.map((error) => `warning ${error}`),
    "",
    ...preview.tools.map(
      ({ toolId, groups, conditional, callable }) =>
        `+ ${toolId.padEnd(width)}  ${groups.join(", ")}${conditional ? " (for some arguments)" : ""}${callable ? "" : " (disabled)"}`,
    ),
    ...preview.hidden.map(({ toolId, reason }) => `- ${toolId.padEnd(width)}  ${reason}`),
    ...Object.values(preview.explanations ?? {}).flatMap(explanationText),
  ];
  return lines.join("\n");
}

function explanationText(explanation: NonNullable<PreviewOutput["explanations"]>[string]): string[] {
  return [
    "",
    `${explanation.toolId}: ${explanation.visible ? "visible" : `hidden (${explanation.reason})`}`,
    ...explanation.steps.map(
      ({ step, passed, detail }) => `  ${passed ? "passes" : "fails "} ${step.padEnd(10)} ${detail}`,
    ),
    ...(explanation.fix?.changes ?? []).map(({ text: change }) => `  to show it: ${change}`),
  ];
}
