import type { Index } from "@/lib/access/compile/compile";
import { IDLE_DAYS } from "@/lib/access/findings/exposure";
import { toFinding, type Finding } from "@/lib/access/findings/finding";

/** What is granted or enabled and was not used for `IDLE_DAYS`. */
export interface Unused {
  /** Allow policies with unused tools (docs/reference/decision.md#rightsizing). */
  readonly grants: readonly {
    readonly policy: string;
    readonly granted: number;
    readonly used: number;
    readonly tokens: number;
  }[];
  readonly keys: readonly { readonly name: string; readonly agent: string }[];
  /** Names of sources. */
  readonly sources: readonly string[];
}

/** Finds grants, keys and sources that nobody uses: each is a risk without a use. */
export function findUnused({ config }: Index, { grants, keys, sources }: Unused): readonly Finding[] {
  const policies = new Set(config.policies.map(({ name }) => name));
  const agents = new Set(config.agents.map(({ name }) => name));
  return [
    ...grants
      .filter(({ policy }) => policies.has(policy))
      .map(({ policy, granted, used, tokens }) =>
        toFinding({
          kind: "unused_grant",
          about: { kind: "policy", name: policy },
          text: `\`${policy}\` grants ${count(granted, "tool")}; its callers used ${count(used)} in ${IDLE_DAYS} days. Each list costs about ${count(tokens, "token")} more than it needs.`,
          fix: "Open the policy in Rightsizing: it tests smaller grants on the calls of the period.",
        }),
      ),
    ...keys
      .filter(({ agent }) => agents.has(agent))
      .map(({ name, agent }) =>
        toFinding({
          kind: "unused_key",
          about: { kind: "agent", name: agent },
          what: name,
          text: `The API key \`${name}\` of \`${agent}\` was not used for ${IDLE_DAYS} days.`,
          fix: "Delete the key, or disable it.",
        }),
      ),
    ...sources.map((name) =>
      toFinding({
        kind: "unused_source",
        about: { kind: "source", name },
        text: `No agent called a tool of \`${name}\` for ${IDLE_DAYS} days.`,
        fix: "Disable the source, or delete it with its tools.",
      }),
    ),
  ];
}

function count(number: number, word?: string): string {
  const text = number.toLocaleString("en");
  return word === undefined ? text : `${text} ${word}${number === 1 ? "" : "s"}`;
}
