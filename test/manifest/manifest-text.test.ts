import { expect, it } from "vitest";
import { atOnce } from "@/lib/access/model/parts";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { manifestTexts } from "@/lib/manifest/index";
import { mcpTexts, toMcp, toMcpTools } from "@/lib/manifest/mcp";
import { realEntries } from "@/test/manifest/tools";

const entries = realEntries().slice(0, 300);
const part = entries.filter((_, number) => number % 3 === 0);
const options = [true, false].flatMap((whole) => [true, false].map((deferLoading) => ({ deferLoading, whole })));

it.each(manifestFormat.options)("the text of a tool as %s does not depend on the lists before", (format) => {
  for (const one of options)
    // The second time all texts are known; the third list shares a part of them.
    for (const list of [entries, entries, part, []]) {
      const alone = atOnce(manifestTexts(format, structuredClone(list), one));
      expect(atOnce(manifestTexts(format, list, one))).toEqual(alone);
    }
});

it.each(["object", "any"] as const)("lists of MCP share each tool, with an output schema of %s", (root) => {
  const own = entries.map((entry) => toMcp(entry, root));
  expect(toMcpTools(entries, root)).toEqual(own);
  expect(toMcpTools(part, root)[1]).toBe(toMcpTools(entries, root)[3]);
  expect(atOnce(mcpTexts(part, root))).toEqual(
    own.filter((_, number) => number % 3 === 0).map((tool) => JSON.stringify(tool)),
  );
});
