import { rollUpUsage } from "@/lib/store/usage/rollup";

// A separate process that counts sealed calls, as every instance does, without a pause.
process.stdout.write("working\n");
for (;;) if ((await rollUpUsage()) === 0) await new Promise((resolve) => setTimeout(resolve, 50));
