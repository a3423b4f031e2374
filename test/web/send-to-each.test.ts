import { expect, test } from "vitest";
import { sendToEach } from "@/components/resource/bulk/send-to-each";

async function refuseOdd(row: number): Promise<void> {
  if (row % 2 === 1) throw new Error(`not ${row}`);
}

test("a request is sent for each row, also after one failed", async () => {
  const { done, failures } = await sendToEach([1, 2, 3, 4], refuseOdd);
  expect([done, failures.map(({ message }) => message)]).toEqual([
    [2, 4],
    ["not 1", "not 3"],
  ]);
});

test("when all fail, the first error is thrown", async () => {
  await expect(sendToEach([1, 3], refuseOdd)).rejects.toThrow("not 1");
});
