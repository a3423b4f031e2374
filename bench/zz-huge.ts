import { importThroughServer } from "@/bench/support/import-through-server";
import { hugeDocument } from "@/bench/support/large-document";
console.log(await importThroughServer(hugeDocument(), false).catch((e: unknown) => String(e)));
