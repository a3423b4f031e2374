/**
 * Shows the step of a long command and its progress: `[3/7] building… 41 s`.
 *
 * @param {number} total
 * @returns {<T>(what: string, work: () => T | Promise<T>) => Promise<T>}
 */
export function makeProgress(total) {
  let step = 0;
  return async (what, work) => {
    step += 1;
    const begun = Date.now();
    process.stdout.write(`[${step}/${total}] ${what}… `);
    try {
      const result = await work();
      const seconds = (Date.now() - begun) / 1000;
      process.stdout.write(`${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s\n`);
      return result;
    } catch (error) {
      process.stdout.write("failed\n");
      throw error;
    }
  };
}
