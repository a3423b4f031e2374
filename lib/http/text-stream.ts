/**
 * Text that comes in parts as the body of a response: the next part is made when the last one has gone out, so that a
 * slow reader holds up its maker. What fails on the way breaks the answer off: a file is never silently short.
 */
export function textStream(parts: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
