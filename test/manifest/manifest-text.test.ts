import { expect, it } from "vitest";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { manifestText, renderManifest } from "@/lib/manifest/index";
import { toMcp, toMcpText, toMcpTools } from "@/lib/manifest/mcp";
import { realEntries } from "@/test/manifest/tools";

const entries = realEntries().slice(0, 300);
const part = entries.filter((_, number) => number % 3 === 0);
const options = [true, false].flatMap((whole) => [true, false].map((deferLoading) => ({ deferLoading, whole })));

it.each(manifestFormat.options)("the text of %s is that of its data, for lists that share tools", (format) => {
  for (const one of options)
    // The second time all texts are known; the third list shares a part of them.
    for (const list of [entries, entries, part, []]) {
      const { data, notes } = renderManifest(format, list, one);
      expect(manifestText(format, list, one)).toEqual({ data: JSON.stringify(data), notes });
    }
});

it.each(["object", "any"] as const)("lists of MCP share each tool, with an output schema of %s", (root) => {
  const own = entries.map((entry) => toMcp(entry, root));
  expect(toMcpTools(entries, root)).toEqual(own);
  expect(toMcpTools(part, root)[1]).toBe(toMcpTools(entries, root)[3]);
  expect(toMcpText(part, root)).toBe(JSON.stringify(own.filter((_, number) => number % 3 === 0)));
});
