import { GROWING_LISTS } from "@/test/support/growing-lists";
import { signIn } from "@/test/support/person";

// A process of bench/lists.ts and bench/search.ts: answers the first page of a list, with or without a search text,
// and reports how many milliseconds that took.

const headers = await signIn("admin");
process.on("message", (asked) => {
  void answer(String(asked)).then((milliseconds) => process.send?.(milliseconds));
});

async function answer(asked: string): Promise<number> {
  const [path] = asked.split("?");
  const list = GROWING_LISTS.find((one) => one.path === path);
  if (list === undefined) throw new Error(`There is no list ${asked}.`);
  const start = performance.now();
  const request = new Request(`http://127.0.0.1:3000/api/admin/${asked}`, { headers });
  const response = await list.GET(request, { params: Promise.resolve({ ...list.params }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${asked}: ${response.status} ${text}`);
  return performance.now() - start;
}
