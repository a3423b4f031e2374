import type { BrowserContext, Page } from "@playwright/test";
import { EVERYTHING } from "@/bench/support/large-installation";
import { measureAction, watchPage, type ActionTiming } from "@/bench/support/pages/page-timing";
import { callersOf } from "@/bench/support/workload";
import { IN_THE_WORLD } from "@/test/support/worlds/large-world";

/** An action on a page, and what the page shows afterwards. */
interface Act {
  readonly name: string;
  readonly act: (page: Page) => Promise<unknown>;
  readonly shown?: (page: Page) => Promise<unknown>;
}

/** A page: how to see that it is open, and the actions on it in order. */
interface FeltPage {
  readonly path: string;
  readonly shown: (page: Page) => Promise<unknown>;
  readonly acts?: readonly Act[];
}

const aRow = (page: Page) => page.locator("tbody tr").first().waitFor();
const aPanel = (page: Page) => page.getByRole("tabpanel").first().waitFor();
const text = (pattern: RegExp) => (page: Page) => page.getByText(pattern).first().waitFor();
/** Waits until the new rows are there: until then the old ones are dimmed. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.querySelector('[aria-busy="true"], [role="progressbar"]') === null);

/** Types one letter at a time, as a person does. */
const filtering = (label: RegExp, typed: string): Act => ({
  name: `filtering by ${typed}`,
  act: async (page) => {
    await page.getByLabel(label).first().click();
    await page.keyboard.type(typed, { delay: 60 });
  },
  shown: settled,
});
const PEEKING: Act = {
  name: "peeking into a row",
  act: async (page) => {
    await page.locator("[data-row]").first().focus();
    await page.keyboard.press("Enter");
  },
  shown: (page) => page.locator("[data-peek]").waitFor(),
};
const CHOOSING_ALL: Act = {
  name: "choosing all that match",
  act: async (page) => {
    await page.getByRole("checkbox", { name: "Select all shown" }).click();
    await page.getByRole("button", { name: /^Select all/ }).click();
  },
  shown: text(/^[\d,]+\+? selected/),
};
const SCROLLING: Act = {
  name: "scrolling",
  act: async (page) => {
    await page.locator("tbody tr").nth(3).hover();
    for (let turn = 0; turn < 20; turn += 1) await page.mouse.wheel(0, 400);
  },
};
const tab = (name: string, shown: Act["shown"] = aPanel): Act => ({
  name: `the tab ${name}`,
  act: (page) => page.getByRole("tab", { name }).click(),
  shown,
});

const PAGES: readonly FeltPage[] = [
  { path: "/admin/overview", shown: text(/p95/) },
  {
    path: "/admin/tools",
    shown: aRow,
    acts: [PEEKING, filtering(/^Filter tools/, "operation_0001"), CHOOSING_ALL, SCROLLING],
  },
  {
    path: `/admin/tools/${encodeURIComponent(IN_THE_WORLD.tool)}`,
    shown: (page) => page.getByRole("tab").first().waitFor(),
    acts: [tab("Schema"), tab("Access", text(/known callers/)), tab("Activity"), tab("Overview")],
  },
  { path: "/admin/groups", shown: aRow, acts: [PEEKING, filtering(/^Filter/, "group-1")] },
  {
    path: `/admin/groups/${EVERYTHING}`,
    shown: text(/^10,000 of 10,000/),
    acts: [
      {
        name: "changing a selector",
        act: async (page) => {
          await page
            .getByLabel(/^Source/)
            .first()
            .click();
          await page.keyboard.type("x");
          await page.keyboard.press("Tab");
        },
        shown: text(/^0 of 10,000/),
      },
    ],
  },
  { path: "/admin/policies", shown: aRow, acts: [filtering(/^Filter/, "policy-0001"), SCROLLING] },
  {
    path: "/admin/policies/everyone-has-everything",
    shown: text(/^Effect$/),
    acts: [
      {
        name: "making it deny, until its impact is there",
        act: (page) => page.getByText("Deny", { exact: true }).click(),
        shown: (page) =>
          page
            .getByText(/[−-]10,000|10,000 →|lose/)
            .first()
            .waitFor(),
      },
    ],
  },
  {
    path: "/admin/preview",
    shown: (page) => page.getByRole("listbox").waitFor(),
    acts: [
      {
        name: "pasting claims",
        act: (page) =>
          page
            .locator("textarea")
            .first()
            .fill(JSON.stringify(callersOf(1)[0])),
        shown: async (page) => {
          await page.waitForResponse("**/api/admin/preview");
          await settled(page);
        },
      },
      { name: "choosing a tool", act: (page) => page.getByRole("option").nth(3).click(), shown: settled },
      { name: "the next tool", act: (page) => page.keyboard.press("ArrowDown"), shown: settled },
      filtering(/^Filter tools/, "operation_0001"),
      tab("Hidden"),
    ],
  },
  { path: "/admin/executions", shown: aRow, acts: [PEEKING, filtering(/^Filter/, "operation_0001"), SCROLLING] },
  { path: "/admin/drift", shown: text(/operation_/) },
  { path: "/admin/denials", shown: text(/operation_/) },
  { path: "/admin/changes", shown: aRow, acts: [PEEKING] },
  { path: "/admin/findings", shown: text(/everyone-has-everything/) },
];

/** Opens each page and measures its actions. */
export async function* measurePages(
  context: BrowserContext,
): AsyncGenerator<{ readonly what: string; readonly felt: ActionTiming }> {
  await context.addInitScript(watchPage);
  for (const { path, shown, acts = [] } of PAGES) {
    const page = await context.newPage();
    const opening = measureAction(
      page,
      () => page.goto(path),
      () => shown(page),
    );
    yield { what: path, felt: await opening };
    await page.locator("[data-hydrated]").waitFor();
    for (const { name, act, shown: then = () => Promise.resolve() } of acts) {
      const doing = measureAction(
        page,
        () => act(page),
        () => then(page),
      );
      yield { what: `  ${name}`, felt: await doing };
    }
    await page.close();
  }
}
