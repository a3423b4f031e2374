import { expect, it } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { resolve } from "@/lib/access/decide/resolve";
import { draftOf } from "@/lib/config/draft";
import { chosen, law, some } from "@/test/access/law";

it("a renamed group lets every caller see the same tools as before", () => {
  let renames = 0;
  law(some, ({ configuration, request, now }, number) => {
    const group = chosen(configuration.groups, number);
    if (group === null) return;
    const drafted = draftOf(configuration, {
      resource: "groups",
      id: group.name,
      input: { ...group, name: "renamed" },
    });
    // A group that a save would refuse, such as one with a pattern that does not compile, is none that it renames.
    if (!drafted.ok) return;
    renames += 1;
    const asked = request.group?.map((name) => (name === group.name ? "renamed" : name)) ?? null;
    const seen = (of: typeof configuration, ask: typeof request) =>
      resolve(compile(of), ask, now).tools.map(({ tool }) => tool.id);
    expect(seen(drafted.configuration, { ...request, group: asked })).toEqual(seen(configuration, request));
  });
  expect(renames).toBeGreaterThan(500);
}, 60_000);
