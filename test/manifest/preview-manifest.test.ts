import { expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { resolve } from "@/lib/access/decide/resolve";
import { atOnce, type Parts } from "@/lib/access/model/parts";
import { requestOf } from "@/lib/access/model/request";
import { parseDocument, toConfiguration } from "@/lib/config/document";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { toPreview } from "@/lib/manifest/preview";

const COUNT = 50;

function question() {
  const parsed = parseDocument({
    apiVersion: "quartermaster/v1",
    sources: [{ name: "s", kind: "http" }],
    tools: Array.from({ length: COUNT }, (_, at) => ({
      id: `s:tool_${at}`,
      description: "Reads.",
      inputSchema: { type: "object" },
      run: { kind: "http", method: "GET", url: "https://s.example/" },
    })),
    groups: [{ name: "g", selectors: [{ source: "s" }] }],
    policies: [{ name: "p", everyone: true, groups: ["g"] }],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const index = compile(toConfiguration(parsed.document));
  const request = requestOf({});
  return { index, request, now: 0, resolution: resolve(index, request, 0), explained: [], needsApproval: () => false };
}

function countParts(parts: Parts<unknown>): number {
  let count = 1;
  while (parts.next().done !== true) count += 1;
  return count;
}

it("other work may run after each tool of a preview's manifest, and of each format whose size it estimates", () => {
  const asked = question();
  expect(atOnce(toPreview(asked)).tools).toHaveLength(COUNT);
  const plain = countParts(toPreview(asked));
  expect(countParts(toPreview({ ...asked, manifest: "openai" }))).toBeGreaterThanOrEqual(plain + COUNT);
  const formats = manifestFormat.options.length;
  expect(countParts(toPreview({ ...asked, manifestSizes: true }))).toBeGreaterThanOrEqual(plain + formats * COUNT);
});
